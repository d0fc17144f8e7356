"""An S3 server on this machine, and a check that a text has none of its secrets."""

from __future__ import annotations

import json
import urllib.request
from urllib.parse import quote

import boto3
from moto.server import ThreadedMotoServer

ALLOWED = {
    "Version": "2012-10-17",
    "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": ["arn:aws:s3:::logs", "arn:aws:s3:::logs/*"]}],
}


class Server:
    """A running server, the key that it accepts, and clients."""

    def __init__(self):
        self._server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        self._server.start()
        host, port = self._server.get_host_and_port()
        self.at, self.url = f"{host}:{port}", f"http://{host}:{port}"
        iam = self.client("iam", "first", "of all")
        iam.create_user(UserName="reader")
        iam.put_user_policy(UserName="reader", PolicyName="reads", PolicyDocument=json.dumps(ALLOWED))
        made = iam.create_access_key(UserName="reader")["AccessKey"]
        self.key, self.secret = made["AccessKeyId"], made["SecretAccessKey"]
        self.s3 = self.client("s3", self.key, self.secret)
        self.s3.create_bucket(Bucket="logs")
        self.command("reset-auth", b"0")  # from here on the server verifies every signature

    def command(self, name, data):
        """Send a command to the server itself."""
        request = urllib.request.Request(f"{self.url}/moto-api/{name}", data, {"Content-Type": "text/plain"})
        urllib.request.urlopen(request).close()

    def client(self, service, key, secret):
        """Give Amazon's own client for a service."""
        return boto3.client(
            service, endpoint_url=self.url, aws_access_key_id=key, aws_secret_access_key=secret, region_name="us-east-1"
        )

    def put(self, key, data):
        """Write an object."""
        self.s3.put_object(Bucket="logs", Key=key, Body=data)

    def uri(self, path, key=None, secret=None, at=None):
        """Write a URI with a key and its secret."""
        user = f"{quote(key or self.key, safe='')}:{quote(secret or self.secret, safe='')}"
        return f"s3://{user}@{path}?{query(at or self.at)}"

    def stop(self):
        """Stop the server, and clear its state: all servers of a process share it."""
        self.command("reset-auth", b"inf")
        self.command("reset", b"")
        self._server.stop()


def query(at):
    """Give the query of a URI that names the server."""
    return f"scheme=http&endpoint_override={at}"


def assert_no_secret(text, server):
    """Check that a text has neither the key nor its secret, in any spelling."""
    for secret in (server.key, server.secret):
        assert secret not in text
        assert quote(secret, safe="") not in text

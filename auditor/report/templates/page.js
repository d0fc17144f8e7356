"use strict";
// The page is complete without this script. It adds: filters, steps through a round, and drawings that were left out to
// keep the page small. It knows nothing of the game: it draws rows of tiles as drawing.py does, from the same numbers.
(() => {
  const $ = (css, from = document) => from.querySelector(css);
  const $$ = (css, from = document) => [...from.querySelectorAll(css)];
  const G = JSON.parse($("#geometry").textContent);
  const MARKS = G.marks, CLASSES = G.classes, FIRST = G.first;
  document.documentElement.classList.add("js");

  // ---- Drawing: a row is tiles of one character each, with marks before them.
  const tokens = (row) => row.match(/[*\-^_#=]*[^*\-^_#=]/gs) || [];
  const num = (value) => String(+value.toFixed(2));
  const width = (row) => tokens(row).reduce((sum, token) => {
    const tile = token.slice(-1);
    if (token.includes("=")) return sum;
    return sum + (tile === " " ? G.gap : token.slice(0, -1).includes("-") ? G.height : G.width);
  }, 0);

  function laid(row, x, y) {
    let before = x, out = "";
    for (const token of tokens(row)) {
      const tile = token.slice(-1), marks = token.slice(0, -1);
      if (tile === " ") { x += G.gap; continue; }
      const names = Object.keys(CLASSES).filter((mark) => marks.includes(mark)).map((mark) => CLASSES[mark]).join(" ");
      const href = `<use href="#t${G.names[G.alphabet.indexOf(tile)]}"${names ? ` class="${names}"` : ""}`;
      if (!marks.includes("-")) { out += `${href} x="${num(x)}" y="${num(y)}"/>`; x += G.width; continue; }
      const stacked = marks.includes("="), at = stacked ? before : x;
      out += `${href} transform="translate(${num(at)} ${num(y + G.height - (stacked ? G.width : 0))}) rotate(-90)"/>`;
      before = at;
      if (!stacked) x += G.height;
    }
    return out;
  }

  function hand(row) {
    const bar = row.indexOf("|"), own = bar < 0 ? row : row.slice(0, bar), aside = bar < 0 ? "" : row.slice(bar + 1);
    const { x, y, room, apart } = G.hand, held = laid(own, x, y);
    if (!aside) return held;
    const size = Math.min(1, (room - width(own) - apart) / width(aside));
    const scale = size === 1 ? "" : ` scale(${num(size)})`;
    const start = `translate(${num(x + room - width(aside) * size)} ${num(y + G.height * (1 - size))})`;
    return `${held}<g transform="${start}${scale}">${laid(aside, 0, 0)}</g>`;
  }

  function river(row) {
    const { x, y, row: length, rows } = G.river, all = tokens(row);
    let out = "";
    for (let line = 0; line < rows; line += 1) {
      const part = all.slice(line * length, line === rows - 1 ? undefined : (line + 1) * length);
      out += laid(part.join(""), x, y + line * G.height);
    }
    return out;
  }

  function indicators(row) {
    const { x, y, scale, places } = G.indicators;
    const shown = row + "?".repeat(Math.max(places - tokens(row).length, 0));
    return `<g transform="translate(${x} ${y}) scale(${scale})">${laid(shown, 0, 0)}</g>`;
  }

  function score(row) {
    const acts = row[0] === ">", riichi = row.slice(0, 2).includes("!"), y = G.stick.y;
    const stick = `<rect class="st" x="-40" y="${y}" width="80" height="6" rx="3"/><circle class="sd" cx="0" cy="${y + 3}" r="2"/>`;
    const text = row.replace(/^[>!]+/, "");
    return `${riichi ? stick : ""}<text class="${acts ? "pt act" : "pt"}" x="0" y="${G.score.y}">${text}</text>`;
  }

  const PARTS = { h: hand, r: river, d: indicators, s: score };
  function paint(svg, state) {
    for (const part of $$("[data-p]", svg)) {
      const name = part.dataset.p, row = state[name] || "";
      if (part.row === row) continue;
      part.row = row;
      if (PARTS[name[0]]) part.innerHTML = PARTS[name[0]](row);
      else part.textContent = row;
    }
  }

  // ---- Steps: a line is what differs from the line before (steps.py).
  function states(text) {
    let now = {};
    return text.split("\n").map((line) => {
      now = { ...now };
      for (const change of line.split("\t").filter(Boolean)) {
        const part = change.slice(0, 2), begin = change.charCodeAt(2) - FIRST, gone = change.charCodeAt(3) - FIRST;
        const old = now[part] || "";
        now[part] = old.slice(0, begin) + change.slice(4) + old.slice(begin + gone);
      }
      return now;
    });
  }

  function says(state) {
    const acts = (state.aa || "").match(/.../gs) || [];
    const texts = acts.map((act) => {
      const [kind, seat, tile] = [G.kinds[act.charCodeAt(0) - FIRST], act[1], G.names[G.alphabet.indexOf(act[2])]];
      if (seat === "-") return "the round is drawn";
      const who = seat === "?" ? "some seat" : `seat ${seat}`;
      return G.phrases[kind].replace("{who}", who).replace("{tile}", tile === "back" ? "?" : tile);
    });
    return `Event ${state.ev}: ${texts.join("; ") || "nothing moves"}`;
  }

  async function unpacked() {
    const bytes = Uint8Array.from(atob($("#packed").textContent.trim()), (char) => char.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  }

  function board(card) {
    const [, , seat, players, dealer] = card.dataset.table.split(" ").map(Number);
    const svg = $(`#board${players}`).content.firstElementChild.cloneNode(true);
    $$("g.seat", svg).forEach((group, step) => {
      const number = (seat + step) % players;
      group.dataset.seat = number;
      for (const part of $$("[data-p]", group)) part.dataset.p = part.dataset.p[0] + number;
      $(".wd", group).textContent = dealer < 0 ? "?" : "ESWN"[(number - dealer + players) % players];
    });
    $(".rn", svg).textContent = card.dataset.name;
    svg.setAttribute("aria-label", `The table, ${card.dataset.name}; as text below`);
    return svg;
  }

  // Fonts lack the characters for these, so they are drawn.
  const icon = (path) => `<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d="${path}"/></svg>`;
  const ICONS = {
    first: icon("M3 3h2v10H3zM13 3v10L6 8z"), back: icon("M11 3v10L4 8z"),
    on: icon("M5 3v10l7-5z"), last: icon("M11 3h2v10h-2zM3 3v10l7-5z"),
  };

  function button(label, title, act) {
    const made = document.createElement("button");
    made.type = "button";
    if (ICONS[label]) made.innerHTML = ICONS[label];
    else made.textContent = label;
    made.setAttribute("aria-label", title);
    made.title = title;
    made.addEventListener("click", act);
    return made;
  }

  function arm(card, rounds) {
    const [round, found] = card.dataset.table.split(" ").map(Number);
    const figure = $(".board", card), all = states(rounds[round]);
    let svg = $("svg", figure), at = found;
    if (!svg) {
      svg = board(card);
      $(".later", figure).replaceWith(svg);
    }
    const slider = document.createElement("input");
    Object.assign(slider, { type: "range", min: 0, max: all.length - 1, value: found });
    slider.setAttribute("aria-label", "Event of the round");
    const say = $(".say", figure);
    const go = (to) => {
      at = Math.max(0, Math.min(all.length - 1, to));
      paint(svg, all[at]);
      slider.value = at;
      say.textContent = says(all[at]);
      slider.setAttribute("aria-valuetext", say.textContent);
      figure.classList.toggle("away", at !== found);
    };
    slider.addEventListener("input", () => go(+slider.value));
    const bar = document.createElement("div");
    bar.className = "steps";
    bar.append(
      button("first", "To the deal", () => go(0)), button("back", "One event back", () => go(at - 1)), slider,
      button("on", "One event on", () => go(at + 1)), button("last", "To the end of the round", () => go(all.length - 1)),
      button("Finding", "Back to the event of the finding", () => go(found)),
    );
    $("figcaption", figure).prepend(bar);
    card.go = go;
    card.last = all.length - 1;
    go(found);
  }

  // ---- Findings: those that are packed come behind the others; a table is armed when it comes near the screen.
  let cards = $$("article.finding"), rounds = [], apply = () => {};
  const once = (card) => { if (!card.armed) { card.armed = true; arm(card, rounds); } };
  async function start() {
    const packed = await unpacked();
    rounds = packed.rounds;
    const more = $("#more");
    if (more) {
      more.insertAdjacentHTML("beforebegin", packed.cards.join(""));
      more.remove();
      cards = $$("article.finding");
    }
    apply();
    const drawn = cards.filter((card) => card.dataset.table);
    const near = new IntersectionObserver((entries) => entries.forEach((entry) => {
      if (entry.isIntersecting) { near.unobserve(entry.target); once(entry.target); }
    }), { rootMargin: "800px" });
    drawn.forEach((card) => near.observe(card));
    window.addEventListener("beforeprint", () => drawn.filter((card) => !card.hidden).forEach(once));
    document.documentElement.classList.add("ready");
  }
  if (cards.length && "DecompressionStream" in window) start();

  // ---- Filters.
  const form = $("#filter");
  if (form) {
    const fold = (text) => text.normalize("NFKC").toLowerCase();
    apply = () => {
      const asked = new FormData(form);
      let shown = 0;
      for (const card of cards) {
        card.hidden = ![...asked].every(([name, value]) => {
          if (!value) return true;
          if (name === "new") return "new" in card.dataset;
          if (name === "players" || name === "source") return fold(card.dataset[name]).includes(fold(value));
          return card.dataset[name] === value;
        });
        shown += !card.hidden;
      }
      const all = cards.length.toLocaleString("en");
      $("#count").textContent = shown === cards.length ? `all ${all}` : `${shown.toLocaleString("en")} of ${all}`;
      $("#none").hidden = shown > 0;
    };
    form.addEventListener("input", apply);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(apply));
    for (const link of $$("[data-pick]")) {
      link.addEventListener("click", () => {
        form.reset();
        form.elements.code.value = link.dataset.pick;
        setTimeout(apply);
      });
    }
    apply();
  }
})();

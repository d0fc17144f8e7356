"""Fu, points, payments, draws and final standings. Imports yaku, rules, shapes and tiles."""

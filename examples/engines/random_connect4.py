#!/usr/bin/env python3
"""A whole engine for Treegraft: plays Connect-4 by choosing any column that has room."""

import random
import sys

columns, rows, moves = 7, 6, []

for line in sys.stdin:
    words = line.split()
    command = words[0] if words else ""
    if command == "tgp":
        print("id name random columns")
        print("tgpok")
    elif command == "newgame":  # newgame connect4, newgame connect4:8x7
        name, _, size = words[1].partition(":")
        if name != "connect4":
            print("error I know connect4 only")
        elif size:
            columns, rows = map(int, size.split("x"))
    elif command == "isready":
        print("readyok")
    elif command == "position":  # position startpos moves 4 4 5
        moves = words[words.index("moves") + 1 :] if "moves" in words else []
    elif command == "go":  # go seed 7 iterations 1000
        limits = dict(zip(words[1::2], words[2::2]))
        chance = random.Random(int(limits.get("seed", 0)))
        open_columns = [c for c in range(1, columns + 1) if moves.count(str(c)) < rows]
        print("bestmove", chance.choice(open_columns))
    elif command == "quit":
        break
    sys.stdout.flush()

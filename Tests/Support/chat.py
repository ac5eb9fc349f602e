"""A messenger that finds contacts by private set intersection, as the ten apps have it: chat.py FOLDER USER...

Prints the configuration of a home whose names lead to it. A line on stdin is answered by what came since it began, a JSON object: how many
requests, and the points of the last one. The end of stdin ends it.
"""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "apps"))

import servers  # noqa: E402

server = servers.Server(sys.argv[1])
server.users = sys.argv[2:]
print(json.dumps(server.configuration), flush=True)
for _ in sys.stdin:
    points = json.loads(server.requests[-1].body)["points"] if server.requests else []
    print(json.dumps({"requests": len(server.requests), "points": points}), flush=True)

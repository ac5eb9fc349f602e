"""The same from a shell: python3 -P -m escrow COMPUTE [NAME=VALUE ...] [--wait SECONDS] [--says WORDS].

The result goes to stdout, as JSON or as bytes. It exits as `escrow run` would, and says why on stderr. Without --wait the
individual may be asked for $ESCROW_WAIT seconds, or 120.
"""

import argparse
import json
import os
import sys

from . import Escrow, EscrowError


def main() -> int:
    parser = argparse.ArgumentParser(prog="python3 -P -m escrow", description="Ask the escrow for what a plugin computes.")
    parser.add_argument("compute", help="the plugin")
    parser.add_argument("argument", nargs="*", help="NAME=VALUE")
    parser.add_argument("--wait", type=int, default=int(os.environ.get("ESCROW_WAIT", 120)),
                        help="for so many seconds the individual may be asked")
    parser.add_argument("--says", help="why, in at most two sentences")
    words = parser.parse_args()
    try:
        arguments = dict(argument.split("=", 1) for argument in words.argument)
    except ValueError:
        parser.error("an argument is NAME=VALUE")
    try:
        result = Escrow().run(words.compute, arguments=arguments, says=words.says, wait=words.wait)
    except EscrowError as error:
        print(error, file=sys.stderr)
        return error.exit
    if isinstance(result, bytes):
        # They could be commands to the terminal, or say anything in the escrow's name.
        if sys.stdout.isatty():
            print(f"the result is {len(result)} bytes; send it to a file: python3 -P -m escrow … > FILE", file=sys.stderr)
        else:
            sys.stdout.buffer.write(result)
    else:
        print(json.dumps(result, ensure_ascii=False))
    return 0


sys.exit(main())

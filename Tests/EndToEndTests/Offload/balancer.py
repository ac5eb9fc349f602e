#!/usr/bin/env python3
"""Three replicas in network namespaces behind a stock HAProxy, with one registry in PostgreSQL. One is slow, one is killed midway.
balancer.py PROGRAMS PACKAGES WORK. Prints what was seen, as JSON."""
import concurrent.futures
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Support"))
import offload_kit as kit

kit.alone()
programs = kit.Programs(*sys.argv[1:4])
work = programs.work
for number in (1, 2, 3):
    kit.namespace(f"s{number}", number)
kit.sh("ip addr add 10.77.0.1/32 dev lo")
registry = kit.postgres(str(work / "postgres"), "10.77.0.1")
one = work / "s1"
owner = lambda *a, folder=one, **k: programs.run("escrow-server", *a, "--folder", folder, **k)
owner("init", "--registry", "host=10.77.0.1 user=escrow dbname=escrow", "--address", "10.77.1.2")
owner("trust", "add", "org.example.*", programs.key())
owner("registry", "add", programs.packages / "phone-check.escrow")
owner("enrol", "laptop", "--out", work / "laptop.json")
for number in (2, 3):
    owner("init", "--replica-of", one, "--address", f"10.77.{number}.2", folder=work / f"s{number}")
facts = {"keyOfTheAuthority": [(work / f"s{n}" / "authority.key").exists() for n in (1, 2, 3)]}


def serve(number):
    # None is ready before its run: a child of a server is then a run of it.
    return programs.serve(work / f"s{number}", ["ip", "netns", "exec", f"s{number}"], ["--ready", "0"])


servers = {n: serve(n) for n in (1, 2, 3)}
balancer = kit.haproxy(work, [(f"s{n}", f"10.77.{n}.2") for n in (1, 2, 3)])
home = programs.device(work / "laptop.json", contacts=200)
big = programs.device(work / "laptop.json", contacts=60_000)


def sessions():
    return {name: count for name, (count, _) in kit.statistics(work).items()}


def runs(count, at_once):
    before = sessions()
    with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        outcomes = list(pool.map(lambda _: programs.offload(home), range(count)))
    after = sessions()
    return {"status": sorted({o.returncode for o in outcomes}), "results": len({o.stdout for o in outcomes}),
            "sessions": {name: after[name] - before[name] for name in after}}


# Each run makes two connections: one sees whether anybody is there, the other is the run's.
facts["spread"] = runs(9, 3)
# A server that is starved of its processor: a tenth of one.
share = kit.Share("escrow-slow", 10)
share.take(servers[3].pid)
facts["slow"] = runs(12, 3)
share.give_back()

run = programs.begin(big)
victim = kit.until(lambda: next((n for n, s in servers.items() if kit.children(s.pid)), None))
servers[victim].kill()
servers[victim].wait()
output, words = run.communicate()
facts["killed"] = {"status": run.returncode, "output": output, "lost": "[E1208]" in words or "[E1203]" in words}
# The balancer may not have noticed yet: a connection that is refused goes to another, and nobody notices.
facts["after"] = runs(6, 2)
servers[victim] = serve(victim)
kit.until(lambda: kit.statistics(work)[f"s{victim}"][1] == "UP")
facts["back"] = runs(6, 3)

owner("registry", "revoke", "org.example.phone-check", folder=work / "s2")
refused = [programs.offload(home) for _ in range(4)]
facts["revoked"] = {"status": sorted({o.returncode for o in refused}),
                    "named": all("[E1211]" in o.stderr for o in refused)}
kit.stop(balancer, *servers.values())
registry.stdin.close()
registry.wait()
facts["victim"] = f"s{victim}"
print(json.dumps(facts))

# An honest plugin in Python: reads its rows, works on them in threads, and answers. The more of the standard library an
# honest program may use, the better: what it calls is what the profile has to allow.
import asyncio, collections, concurrent.futures, csv, ctypes, dataclasses, datetime, decimal, email, faulthandler
import hashlib, html, http.client
import io, itertools, json, locale, logging, math, os, pathlib, platform, pickle, queue, random, re, shutil, socket, ssl
import resource, select, signal, sqlite3, statistics, subprocess, sys, tempfile, threading, time, traceback, unicodedata
import urllib.request, uuid, xml.etree.ElementTree, zipfile, zlib, zoneinfo

rows = list(csv.reader(sys.stdin, delimiter=" "))
inbox = queue.Queue()


def work():
    time.sleep(0.001)
    inbox.put(sum(int(row[0]) for row in rows))


threads = [threading.Thread(target=work) for _ in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join(timeout=60)
total = inbox.get(timeout=60)
condition = threading.Condition()
with condition:
    condition.wait(timeout=0.001)

faulthandler.enable()
signal.signal(signal.SIGUSR1, lambda *_: None)
signal.raise_signal(signal.SIGUSR1)
ends = os.pipe()
os.write(ends[1], b"x")
select.select([ends[0]], [], [], 0)
poll = select.poll()
poll.register(ends[0])
poll.poll(0)
os.close(os.dup(ends[0]))

big = bytearray(1 << 20)
for size in (20, 22):
    big.extend(bytes(1 << size))
hashlib.sha256(zlib.compress(bytes(big))).hexdigest()
random.shuffle(rows)
statistics.mean([1, 2]), decimal.Decimal(2).sqrt(), uuid.uuid4(), os.getcwd(), os.cpu_count()
datetime.datetime.now(datetime.timezone.utc).isoformat(), time.strftime("%Y"), time.process_time(), time.thread_time()
resource.getrlimit(resource.RLIMIT_AS), time.clock_getres(time.CLOCK_THREAD_CPUTIME_ID)
open("/plugin/main").readline(), os.path.exists("/plugin/none"), os.listdir("/plugin")
sys.stderr.write("done\n")
print(json.dumps({"total": total}), flush=True)

"""Times pickle.loads on the bytes of a file: a line with a number of loads comes in, the seconds of one go out."""
import pickle
import sys
import time

with open(sys.argv[1], 'rb') as file:
    data = file.read()
for line in sys.stdin:
    loads = int(line)
    begin = time.perf_counter()
    for _ in range(loads):
        pickle.loads(data)
    print((time.perf_counter() - begin) / loads, flush=True)

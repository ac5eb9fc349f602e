# A script sets the clock: to the time that it is.
# runtime: violation clock_settime()
# needs: CAP_SYS_TIME
import time

attempt(lambda: time.clock_settime_ns(time.CLOCK_REALTIME, time.clock_gettime_ns(time.CLOCK_REALTIME)))

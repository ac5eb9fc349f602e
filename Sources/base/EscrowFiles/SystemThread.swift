import Glibc
import Synchronization

/// Threads of our own, for calls that wait: no runtime's executor is held up by them. pthreads(7)
///
/// One whose work is done waits a second for more, as to start and end a thread costs a tenth of a millisecond. What a body changes
/// of its thread, it must change back.
public enum SystemThread {
    /// Has a thread do something; false when the system has none left. Nobody joins it, and it takes no signal: those are for who
    /// waits for them.
    public static func start(
        name: String, stackBytes: Int = 512 << 10, _ body: @escaping @Sendable () -> Void
    ) -> Bool {
        if let idle = IdleThread.take(stackBytes: stackBytes) {
            idle.give(name, body)
            return true
        }
        let thread = IdleThread(stackBytes: stackBytes)
        thread.give(name, body)
        return begin(thread)
    }

    /// Names the calling thread, in at most 15 bytes. pthread_setname_np(3)
    public static func name(_ name: String) { _ = pthreadSetName(pthread_self(), name) }

    private static func begin(_ thread: IdleThread) -> Bool {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, thread.stackBytes)
        // A thread inherits what is blocked, so there is no moment at which it could take one.
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let argument = Unmanaged.passRetained(thread)
        var number = pthread_t()
        let error = pthread_create(
            &number, &attributes,
            { argument in
                guard let argument else { return nil }
                Unmanaged<IdleThread>.fromOpaque(argument).takeRetainedValue().work()
                return nil
            }, argument.toOpaque())
        if error != 0 { argument.release() }
        return error == 0
    }
}

/// What one thread does, one thing after another.
private final class IdleThread: @unchecked Sendable {
    private typealias Work = (name: String, body: @Sendable () -> Void)

    let stackBytes: Int
    private let condition = Condition()
    private var next: Work?

    private static let idle = Mutex<[IdleThread]>([])
    /// More than that do not wait.
    private static let mostIdle = 32
    private static let patience: UInt64 = 1_000_000_000

    init(stackBytes: Int) { self.stackBytes = stackBytes }

    /// The one that became idle last, which is now the caller's.
    static func take(stackBytes: Int) -> IdleThread? {
        idle.withLock { idle in
            idle.lastIndex { $0.stackBytes == stackBytes }.map { idle.remove(at: $0) }
        }
    }

    func give(_ name: String, _ body: @escaping @Sendable () -> Void) {
        condition.lock()
        next = (name, body)
        condition.signal()
        condition.unlock()
    }

    /// The thread's own part.
    func work() {
        repeat {
            perform(taken())
        } while rest()
    }

    /// In a scope of its own: nothing of the work outlives it here.
    private func perform(_ work: Work) {
        SystemThread.name(work.name)
        work.body()
        SystemThread.name("idle")
    }

    /// False once nobody took it, or enough others wait.
    private func rest() -> Bool {
        let mayWait = Self.idle.withLock { idle in
            if idle.count < Self.mostIdle { idle.append(self) }
            return idle.last === self
        }
        guard mayWait else { return false }
        if isGiven(until: monotonicNanoseconds() + Self.patience) { return true }
        // Who took it in this moment gives it something.
        return Self.idle.withLock { idle in
            guard let index = idle.firstIndex(where: { $0 === self }) else { return true }
            idle.remove(at: index)
            return false
        }
    }

    private func isGiven(until deadline: UInt64) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        while next == nil { if !condition.wait(until: deadline) { break } }
        return next != nil
    }

    private func taken() -> Work {
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let work = next {
                next = nil
                return work
            }
            condition.wait()
        }
    }
}

/// glibc declares it under _GNU_SOURCE only.
@_silgen_name("pthread_setname_np")
private func pthreadSetName(_ thread: pthread_t, _ name: UnsafePointer<CChar>) -> Int32

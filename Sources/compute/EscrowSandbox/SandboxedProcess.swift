import EscrowFiles
import Glibc

public enum SandboxIOError: Error, Sendable, Equatable {
    /// The plugin is gone, or has shut its end.
    case closed
    /// It wrote more than it may; it is being killed.
    case outputLimit
    /// The system refused, with its errno.
    case system(Int32)
}

/// A running plugin. One thread may write while another reads; `kill` may come from any.
///
/// What was read counts only after `finish()` has returned a clean outcome: until then a violation may still come.
public final class SandboxedProcess: Sendable {
    private struct Input { var descriptor: Int32 }
    private struct Output {
        var descriptor: Int32
        var total = 0
    }

    let run: Run
    /// How often a waiting thread checks whether the plugin is lost, in milliseconds.
    private static let lookAgain: Int32 = 500
    private let input: Monitor<Input>
    private let output: Monitor<Output>

    init(run: Run, input: Int32, output: Int32) {
        self.run = run
        self.input = Monitor(Input(descriptor: input))
        self.output = Monitor(Output(descriptor: output))
    }

    deinit {
        run.end(.killedByHost(.cancelled))
        closeInput()
        closeOutput()
    }

    /// Begins the run of a parked process; false when there is none left to begin.
    func take() -> Bool { run.take() }

    /// Writes all the bytes to the plugin's stdin, waiting while it does not read. write(2), poll(2)
    public func write(_ bytes: UnsafeRawBufferPointer) throws(SandboxIOError) {
        try input.withLock { (input: inout Input) throws(SandboxIOError) in
            guard input.descriptor >= 0 else { throw .closed }
            var rest = bytes
            while !rest.isEmpty {
                let (count, error) = Self.writeQuietly(input.descriptor, rest)
                if count > 0 {
                    rest = UnsafeRawBufferPointer(rebasing: rest[count...])
                } else if error == EAGAIN {
                    // When the plugin dies its end closes, and this returns with POLLERR. One that is lost keeps it open.
                    waitFor(input.descriptor, POLLOUT, milliseconds: Self.lookAgain)
                    if run.isLost { throw .closed }
                } else if error == EPIPE {
                    throw .closed
                } else if error != EINTR {
                    throw .system(error)
                }
            }
        }
    }

    public func write(_ bytes: [UInt8]) throws(SandboxIOError) {
        let result = bytes.withUnsafeBytes { buffer in
            Result { () throws(SandboxIOError) in try write(buffer) }
        }
        try result.get()
    }

    /// Writes what the pipe to the plugin's stdin has room for now, and says how much that was. Never waits.
    public func writeAtOnce(_ bytes: [UInt8]) throws(SandboxIOError) -> Int {
        var result: Result<Int, SandboxIOError> = .success(0)
        // Another thread that is at it writes first.
        input.tryLock { input in
            var (count, error) = (0, EINTR)
            while count <= 0, error == EINTR {
                guard input.descriptor >= 0 else { return result = .failure(.closed) }
                (count, error) = bytes.withUnsafeBytes { Self.writeQuietly(input.descriptor, $0) }
            }
            result =
                count >= 0
                ? .success(count)
                : error == EAGAIN ? .success(0) : .failure(error == EPIPE ? .closed : .system(error))
        }
        return try result.get()
    }

    /// write(2) that raises no SIGPIPE in the host. Pipes have no MSG_NOSIGNAL, and the host's signal handlers are not ours; the
    /// signal goes to this thread, which blocks it and takes it.
    private static func writeQuietly(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> (Int, Int32) {
        var pipeSignal = sigset_t()
        sigemptyset(&pipeSignal)
        sigaddset(&pipeSignal, SIGPIPE)
        var before = sigset_t()
        pthread_sigmask(SIG_BLOCK, &pipeSignal, &before)
        let count = Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        let error = errno
        if sigismember(&before, SIGPIPE) == 0 {
            if count < 0, error == EPIPE {
                var none = timespec()
                sigtimedwait(&pipeSignal, nil, &none)
            }
            pthread_sigmask(SIG_SETMASK, &before, nil)
        }
        return (count, error)
    }

    /// How many bytes that were written to the plugin's stdin still wait to be read; 0 once stdin is closed. ioctl(2)
    public var unreadInput: Int {
        input.withLock { input in
            var count: Int32 = 0
            guard input.descriptor >= 0, ioctl(input.descriptor, UInt(FIONREAD), &count) == 0 else {
                return 0
            }
            return Int(count)
        }
    }

    public func closeInput() {
        input.withLock { input in
            if input.descriptor >= 0 { close(input.descriptor) }
            input.descriptor = -1
        }
    }

    /// Up to `max` bytes of the plugin's stdout, waiting for the first; empty at its end. More than
    /// `limits.outputBytes` in all ends the plugin.
    public func read(max: Int) throws(SandboxIOError) -> [UInt8] {
        try output.withLock { (output: inout Output) throws(SandboxIOError) in
            guard output.descriptor >= 0 else { throw .closed }
            var result: (count: Int, error: Int32) = (0, 0)
            while true {
                let descriptor = output.descriptor
                let bytes = [UInt8](unsafeUninitializedCapacity: Swift.max(1, min(max, 1 << 20))) {
                    buffer, count in
                    let read = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                    result = (read, errno)
                    count = Swift.max(0, read)
                }
                if result.count >= 0 {
                    output.total += result.count
                    run.state.withLock { $0.outputBytes = output.total }
                    if output.total > run.limits.outputBytes {
                        run.end(.limit(.output))
                        throw .outputLimit
                    }
                    return bytes
                }
                if result.error == EAGAIN {
                    waitFor(descriptor, POLLIN, milliseconds: Self.lookAgain)
                    // One that is lost keeps its end open. What the dead have written is still read.
                    if run.isLost { return [] }
                } else if result.error != EINTR {
                    throw .system(result.error)
                }
            }
        }
    }

    private func closeOutput() {
        output.withLock { output in
            if output.descriptor >= 0 { close(output.descriptor) }
            output.descriptor = -1
        }
    }

    /// The process's directory as this host's /proc has it; nil once it is gone.
    var procDirectory: String? {
        run.state.withLock { $0.pidfd >= 0 ? Supervisor.processDirectory(pidfd: $0.pidfd) : nil }
    }

    /// Ends the plugin now, for a reason of the host's. The first cause of a run's end is the one reported.
    public func kill(reason: KillReason) { run.end(.killedByHost(reason)) }

    /// Ends the plugin at a limit that the caller counts: rows, data, assets, bytes of assets.
    public func end(at limit: Outcome.Limit) { run.end(.limit(limit)) }

    /// Waits for the end for so long at most; whether it came.
    public func hasEnded(within seconds: Double) -> Bool {
        run.outcome(until: monotonicNanoseconds() + UInt64(Swift.max(0, min(seconds, 3600)) * 1e9)) != nil
    }

    /// Closes stdin and waits for the end, at most to the wall limit; kills a plugin that lingers longer than `graceSeconds`.
    /// Call it after the last read.
    public func finish(graceSeconds: Double = 1) -> Outcome {
        // A thread that still writes holds the input; the grace period must not wait for it.
        let grace = UInt64(Swift.max(0, min(graceSeconds, 3600)) * 1e9)
        let deadline = monotonicNanoseconds() + grace
        input.tryLock { input in
            if input.descriptor >= 0 { close(input.descriptor) }
            input.descriptor = -1
        }
        if let outcome = run.outcome(until: deadline) { return outcome }
        run.end(.killedByHost(.lingered))
        while true { if let outcome = run.outcome() { return outcome } }
    }
}

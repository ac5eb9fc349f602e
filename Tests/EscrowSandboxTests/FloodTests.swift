import EscrowSandbox
import Testing

/// Plugins that keep their supervisor busy.
@Suite struct FloodTests {
    /// The call gives up Python's own lock, so that the next thread comes to it while this one waits for the answer.
    private static let ends = """
        import ctypes, sys, threading
        libc = ctypes.CDLL(None)
        count = int(sys.argv[1])
        barrier = threading.Barrier(count)
        def end():
            barrier.wait()
            libc._exit(0)
        threading.stack_size(65536)
        sys.stderr.write("go")
        sys.stderr.flush()
        for _ in range(count - 1): threading.Thread(target=end, daemon=True).start()
        end()
        """

    @Test func aHundredThreadsMayEndTheProcessAtOnce() throws {
        let limits = SandboxLimits(memoryMiB: 2048, processes: 128)
        guard let ran = try Sandbox().script("python3", Self.ends, arguments: ["100"], limits: limits)
        else { return }
        #expect(ran.outcome.status == .exited(0), "\(ran.outcome.status)")
        #expect(ran.log == "go")
    }
}

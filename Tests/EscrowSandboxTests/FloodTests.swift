import EscrowSandbox
import Testing

/// Plugins that keep their supervisor busy.
#if arch(x86_64)  // It brings machine code.
@Suite struct FloodTests {
    private static let native = """
        import ctypes, sys, threading
        libc = ctypes.CDLL(None)
        libc.mmap.restype = ctypes.c_void_p
        libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]
        def native(code):
            page = libc.mmap(None, 4096, 3, 0x22, -1, 0)
            ctypes.memmove(page, code, len(code))
            assert libc.mprotect(ctypes.c_void_p(page), 4096, 5) == 0
            return ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(page)
        """

    private static let ends =
        native + """

            flag = ctypes.c_int(0)
            # again: mov eax, 24; syscall (sched_yield); cmp dword [rdi], 0; je again; xor edi, edi; mov eax, 231; syscall
            code = native(bytes.fromhex("b818000000 0f05 833f00 74f4 31ff b8e7000000 0f05"))
            def end(): code(ctypes.addressof(flag))
            threading.stack_size(65536)
            for _ in range(int(sys.argv[1])-1): threading.Thread(target=end, daemon=True).start()
            sys.stderr.write("go")
            sys.stderr.flush()
            flag.value = 1
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
#endif

import Testing

@testable import EscrowSandbox

/// A script runs no instructions that it brought along or made: no memory that was written becomes executable.
@Suite struct WrittenCodeTests {
    private static let begin = """
        import ctypes, mmap, sys
        libc = ctypes.CDLL(None, use_errno=True)
        libc.mmap.restype = ctypes.c_void_p
        libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]
        libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
        PRIVATE, ANONYMOUS = 2, 0x20

        """

    /// The way, and how the report spells the call that ends it.
    static let ways: [(text: String, call: String)] = [
        ("libc.mmap(None, 4096, 5, PRIVATE | ANONYMOUS, -1, 0)", "mmap(PROT_READ|PROT_EXEC)"),
        ("libc.mmap(None, 4096, 4, PRIVATE | ANONYMOUS, -1, 0)", "mmap(PROT_EXEC)"),
        ("libc.mmap(None, 4096, 7, PRIVATE | ANONYMOUS, -1, 0)", "mmap(PROT_READ|PROT_WRITE|PROT_EXEC)"),
        (
            "page = libc.mmap(None, 4096, 3, PRIVATE | ANONYMOUS, -1, 0)\nlibc.mprotect(page, 4096, 5)",
            "mprotect(PROT_READ|PROT_EXEC)"
        ),
        // Writable and executable, of a file.
        (
            "file = open(__file__, 'rb')\nlibc.mmap(None, 4096, 7, PRIVATE, file.fileno(), 0)",
            "mmap(PROT_READ|PROT_WRITE|PROT_EXEC)"
        ),
        // A private copy of a library's code, changed.
        (
            "page = ctypes.cast(libc.abs, ctypes.c_void_p).value & ~4095\n"
                + "assert libc.mprotect(page, 4096, 3) == 0\nlibc.mprotect(page, 4096, 5)",
            "mprotect(PROT_READ|PROT_EXEC)"
        ),
    ]

    @Test("Memory that was written, or could be, never becomes code", arguments: ways)
    func endsTheRun(text: String, call: String) throws {
        guard let ran = try Sandbox().script("python3", Self.begin + text) else { return }
        #expect(ran.outcome.status == .violation)
        #expect(ran.outcome.syscall?.description == call)
    }

    @Test("No list lets memory become code, whatever else is asked for with it", arguments: FilterVariant.all)
    func noRule(_ variant: FilterVariant) throws {
        let filter = FilterEvaluator(
            instructions: try FilterProgram.filter(for: variant.profile, variant.options).code)
        let architecture = variant.options.architecture
        func isRun(_ call: String, _ protection: UInt64, _ flags: UInt64) throws -> Bool {
            let number = try #require(architecture.number(of: call))
            let arguments: [UInt64] = [0x1000, 4096, protection, flags, 3, 0]
            return filter.answer(
                to: .init(number: number, architecture: architecture.token, arguments: arguments)) == .allow
        }
        for upper in [0, 1 << 32 as UInt64] {
            for protection in UInt64(0)..<64 where protection & 4 != 0 {
                #expect(try !isRun("mprotect", protection | upper, 0))
                for flags in UInt64(0)..<64 where flags & 0x20 != 0 || protection & 2 != 0 {
                    #expect(try !isRun("mmap", protection | upper, flags | upper), "\(protection) \(flags)")
                }
            }
        }
    }

    @Test("The plugin's own files are no code either") func ownFile() throws {
        let text = """
            file = open(__file__, "rb")
            page = libc.mmap(None, 4096, 5, PRIVATE, file.fileno(), 0)
            print(page == ctypes.c_void_p(-1).value, ctypes.get_errno())
            """
        guard let ran = try Sandbox().script("python3", Self.begin + text) else { return }
        #expect(ran.output == "True 1\n", "\(ran.log)")
        #expect(ran.outcome.isClean)
    }

    @Test("Functions of the libraries, and callbacks out of them, work as ever") func honest() throws {
        let text = """
            import math, json, re, sqlite3, threading, zlib, hashlib
            print(libc.abs(-7), math.sqrt(4), re.sub("a+", "b", "caat"), zlib.crc32(b"x") > 0)
            """
        guard let ran = try Sandbox().script("python3", Self.begin + text) else { return }
        #expect(ran.output == "7 2.0 cbt True\n", "\(ran.outcome.reason) \(ran.log)")
    }
}

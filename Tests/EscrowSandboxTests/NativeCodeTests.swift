import EscrowDiagnostics
import Testing

@testable import EscrowSandbox

/// Machine code of a package's own, under the profile `native`: it has the walls of any script. Each misdeed is committed outside
/// first, where it must succeed.
@Suite struct NativeCodeTests {
    private static let library = "native.so"

    private static func script(_ folder: String, _ misdeed: String, _ file: String) -> String {
        """
        import ctypes
        code = ctypes.CDLL("\(folder)/\(library)", use_errno=True)
        code.sum.restype = code.misdeed.restype = ctypes.c_long
        print("honest", code.sum(40, 2), flush=True)
        print("DID IT" if code.misdeed(b"\(misdeed)", b"\(file)") >= 0 else ctypes.get_errno(), flush=True)
        """
    }

    /// The library as a package ships it; nil (after a SKIP line) where there is no compiler.
    private static let built: String? = {
        guard let folder = Probes.directory,
            let result = try? Plain.run(
                [
                    "/usr/bin/gcc", "-shared", "-fPIC", "-O1", "-Wl,-z,max-page-size=4096", "-o",
                    "\(folder)/\(library)", Probes.source("native"),
                ])
        else { return nil }
        return result.code == 0 ? folder : nil
    }()

    /// The misdeed, the file that it is about, and how it ends inside: a call that ends the run, or nothing but a number of errno.
    static let misdeeds: [(name: String, file: String, end: String)] = [
        ("socket", "", "socket(AF_INET, SOCK_STREAM)"), ("read", "/etc/passwd", "openat(AT_FDCWD, O_RDONLY)"),
        ("change", "/plugin/native.so", "openat("), ("start", "", "clone("), ("signal", "", "kill("),
        ("trace", "", "ptrace("), ("make code", "", "mmap(PROT_READ|PROT_WRITE|PROT_EXEC)"),
        ("change code", "", "mprotect(PROT_READ|PROT_EXEC)"), ("namespace", "", "unshare("),
    ]

    @Test("It can do no more than a script", arguments: misdeeds)
    func misdeed(name: String, file: String, end: String) throws {
        guard let folder = Self.built else { return print("SKIP: no compiler, or no folder for probes") }
        let outside = file.replacing("/plugin", with: folder)
        let control = try Plain.run(["/usr/bin/python3", "-c", Self.script(folder, name, outside)])
        // A user namespace is what some machines let nobody make.
        if name == "namespace", control.output == "honest 42\n1\n" {
            return print("SKIP \(name): refused outside")
        }
        #expect(control.output == "honest 42\nDID IT\n", "the misdeed fails by itself: \(control)")
        guard let ran = try Self.inside(Self.script("/plugin", name, file)) else { return }
        if Int(end) != nil {
            #expect(ran.output == "honest 42\n\(end)\n", "\(ran.log)")
        } else {
            #expect(ran.output == "honest 42\n", "\(ran.log)")
            #expect(ran.outcome.status == .violation)
            #expect(ran.outcome.syscall?.description.hasPrefix(end) == true, "\(ran.outcome.reason)")
        }
    }

    @Test("Without the profile the same library is no code") func onlyNative() throws {
        guard Self.built != nil else { return }
        guard let ran = try Self.inside(Self.script("/plugin", "read", "/"), mapsCode: false) else { return }
        #expect(!ran.output.contains("honest"), "\(ran.output)")
        #expect(!ran.outcome.isClean)
    }

    private static func inside(_ text: String, mapsCode: Bool = true) throws -> Ran? {
        guard let folder = built else { return nil }
        let main = try SealedFile(Array(text.utf8))
        let code = try SealedFile(try readFile("\(folder)/\(library)"))
        do {
            return try Sandbox().run(
                .script(
                    interpreter: "python3", main: "main", files: [("main", main.fd), (library, code.fd)],
                    mapsCode: mapsCode))
        } catch let error as Diagnostic where error.code == .interpreterUnusable {
            print("SKIP: \(error.message)")
            return nil
        }
    }
}

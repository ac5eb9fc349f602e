import EscrowDiagnostics
import Glibc
import Testing

@testable import EscrowSandbox

/// What of this machine comes into the root of a script.
@Suite struct InterpreterTests {
    /// nil (after a SKIP line) where the interpreter is missing.
    private func interpreter(_ word: String) throws -> Interpreter? {
        do { return try Interpreter(word: word) } catch {
            print("SKIP: \(error.message)")
            return nil
        }
    }

    @Test(arguments: Interpreter.words) func aRootHoldsTheInterpreterAndWhatItNeeds(_ word: String) throws {
        guard let interpreter = try interpreter(word) else { return }
        let closure = InterpreterClosure(of: interpreter)
        var made: Set<String> = ["/"]
        for (path, item) in closure.items {
            let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
            #expect(made.contains(folder == "" ? "/" : folder), "\(path) comes before its folder")
            #expect(made.insert(path).inserted, "\(path) comes twice")
            let top = path.split(separator: "/").first.map(String.init) ?? ""
            #expect(["usr", "lib", "lib64", "bin"].contains(top), "\(path)")
            if case .file(let source) = item { #expect(access(source, R_OK) == 0) }
        }
        #expect(made.contains(interpreter.path))
        if let loader = interpreter.loader {
            #expect(made.contains(loader))
            #expect(made.contains { $0.hasSuffix("/libc.so.6") })
        }
    }

    @Test func pythonComesWithoutWhatNoPluginCanUse() throws {
        guard let interpreter = try interpreter("python3") else { return }
        let names = InterpreterClosure(of: interpreter).items.map {
            String($0.path.split(separator: "/").last ?? "")
        }
        for name in ["json", "os.py", "email", "sqlite3"] { #expect(names.contains(name), "\(name)") }
        for name in ["test", "tkinter", "idlelib", "curses", "dist-packages", "site-packages", "__pycache__"]
        {
            #expect(!names.contains(name), "\(name)")
        }
    }

    @Test func anImageIsMadeOnceAndHoldsItsBytes() throws {
        guard let interpreter = try interpreter("sh") else { return }
        let image = try InterpreterImage.of(interpreter)
        #expect(try InterpreterImage.of(interpreter) === image)
        var byte: UInt8 = 0
        #expect(pwrite(image.fd, &byte, 1, 0) == -1)
        let name = String(interpreter.path.dropFirst())
        var found = false
        for entry in image.entries {
            guard case .part(name, let offset, let size, true) = entry else { continue }
            found = true
            var bytes = [UInt8](repeating: 0, count: Int(size))
            #expect(pread(image.fd, &bytes, bytes.count, off_t(offset)) == bytes.count)
            #expect(try bytes == readFile(interpreter.path))
        }
        #expect(found)
        #expect(image.memory > 0 && image.memory % UInt64(getpagesize()) == 0)
        #expect(image.trees.allSatisfy { $0.hasPrefix("/usr/") || $0.hasPrefix("/lib") })
    }

    @Test func librariesAreReadFromTheProgramItself() throws {
        let file = open("/bin/true", O_RDONLY | O_CLOEXEC)
        try #require(file >= 0)
        defer { close(file) }
        #expect(LinkedLibraries.names(in: file).contains("libc.so.6"))
        // No prefix of it, and nothing that is no program, makes the reader trap.
        let image = try readFile("/bin/true")
        for count in stride(from: 0, to: image.count, by: 997) {
            let part = try SealedFile(Array(image.prefix(count)))
            _ = LinkedLibraries.names(in: part.fd)
        }
        for at in 0..<128 {
            var damaged = image
            damaged[at] = 0xff
            let part = try SealedFile(damaged)
            _ = LinkedLibraries.names(in: part.fd)
        }
    }
}

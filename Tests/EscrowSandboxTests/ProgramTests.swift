import EscrowDiagnostics
import Glibc
import Testing

@testable import EscrowSandbox

/// What the sandbox will not even try to run.
@Suite struct ProgramTests {
    private func code(_ program: SandboxProgram, _ arguments: [String] = []) throws -> String? {
        let sandbox = try Sandbox()
        do throws(Diagnostic) {
            let process = try sandbox.launch(program, name: "probe", arguments: arguments)
            _ = process.finish()
            return nil
        } catch { return error.code.rawValue }
    }

    @Test func aFileThatIsNotSealedIsRefused() throws {
        let file = open("/bin/true", O_RDONLY)
        defer { close(file) }
        #expect(try code(.executable(fd: file)) == "E0512")
        #expect(
            try code(.script(interpreter: "jq", main: "main", files: [("main", file)])) == "E0512"
                || access("/usr/bin/jq", X_OK) != 0)
        #expect(try code(.executable(fd: -1)) == "E0512")
    }

    @Test func aDynamicProgramIsRefused() throws {
        let file = try SealedFile(readFile("/bin/true"))
        #expect(try code(.executable(fd: file.fd)) == "E0513")
    }

    @Test func aDamagedProgramIsRefused() throws {
        // Offset and value of a byte of the canary's headers that makes it unfit.
        let damages: [(Int, UInt8)] = [
            (0, 0x00),  // no ELF
            (4, 1),  // 32 bits
            (5, 2),  // big-endian
            (16, 1),  // an object file
            (18, 8),  // MIPS
            (32, 0xff),  // program headers outside the file
            (54, 57),  // an odd size of program header
            (56, 0),  // no program header
            (57, 0xff),  // very many
            (68, 7),  // writable and executable
            (124, 7),  // an executable stack
        ]
        for (offset, value) in damages {
            var image = Canary.image
            image[offset] = value
            let file = try SealedFile(image)
            #expect(try code(.executable(fd: file.fd)) == "E0513", "byte \(offset)")
        }
        let script = try SealedFile(Array("#!/bin/sh\n".utf8))
        #expect(try code(.executable(fd: script.fd)) == "E0513")
    }

    @Test func everyTruncationOfAProgramIsRefusedOrRuns() throws {
        // The parser must not trap on any of them; those that are refused say so.
        for count in stride(from: 0, to: 176, by: 5) {
            let file = try SealedFile(Array(Canary.image.prefix(count)))
            #expect(try code(.executable(fd: file.fd)) == "E0513", "\(count) bytes")
        }
    }

    @Test func interpretersAreAClosedList() throws {
        let file = try SealedFile([])
        for word in ["bash", "/usr/bin/python3", "python3 -c", "", "../jq"] {
            #expect(
                try code(.script(interpreter: word, main: "main", files: [("main", file.fd)])) == "E0514")
        }
    }

    @Test func scriptFilesHavePlainNames() throws {
        let file = try SealedFile([])
        for name in ["../main", "a/b", "", ".hidden", "-c", "a\0b", "ä", String(repeating: "a", count: 65)] {
            #expect(!RootPlan.isName(name))
            #expect(try code(.script(interpreter: "sh", main: name, files: [(name, file.fd)])) == "E0516")
        }
        #expect(try code(.script(interpreter: "sh", main: "main", files: [])) == "E0516")
        #expect(
            try code(.script(interpreter: "sh", main: "a", files: [("a", file.fd), ("a", file.fd)]))
                == "E0516")
        #expect(RootPlan.isName("k-means_2.py"))
    }

    @Test func argumentsHaveBounds() throws {
        let file = try SealedFile(Canary.image)
        #expect(try code(.executable(fd: file.fd), [String](repeating: "a", count: 65)) == "E0517")
        #expect(try code(.executable(fd: file.fd), [String(repeating: "a", count: 16385)]) == "E0517")
        #expect(try code(.executable(fd: file.fd), ["a\0b"]) == "E0517")
    }

    @Test func aSealedFileCannotChange() throws {
        let file = try SealedFile([1, 2, 3])
        var byte: UInt8 = 9
        #expect(pwrite(file.fd, &byte, 1, 0) == -1)
        #expect(errno == EPERM)
        #expect(ftruncate(file.fd, 0) == -1)
    }
}

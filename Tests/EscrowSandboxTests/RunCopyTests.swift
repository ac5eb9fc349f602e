import EscrowFiles
import Testing

@testable import EscrowSandbox

/// A run starts from a copy of its own of its program, and only from one that is the program to the byte: until a copy is sealed
/// another process of the same user can write to it.
@Suite struct RunCopyTests {
    private func copy(_ bytes: [UInt8]) throws -> Descriptor {
        let file = Descriptor(owning: MemoryFile.make("copy"))
        try file.write(bytes)
        #expect(MemoryFile.seal(file, mode: 0o111) == 0)
        return file
    }

    @Test func oneThatSomebodyWroteToIsRefused() throws {
        guard let path = try Probes.path("echo") else { return }
        let bytes = try readFile(path)
        let program = try SealedFile(bytes)
        let prepared = try Sandbox().prepare(
            .executable(fd: program.fd), arguments: [], limits: .standard)
        #expect(prepared.isWhole(try copy(bytes)))
        for place in [0, 1, 65_535, 65_536, bytes.count / 2, bytes.count - 1] {
            var altered = bytes
            altered[place] ^= 1
            #expect(!prepared.isWhole(try copy(altered)), "byte \(place)")
        }
        #expect(!prepared.isWhole(try copy(Array(bytes.dropLast()))))
        #expect(!prepared.isWhole(try copy(bytes + [0])))
    }
}

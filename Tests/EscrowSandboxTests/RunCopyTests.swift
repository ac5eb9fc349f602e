import EscrowFiles
import Glibc
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

    private func file() -> Descriptor { Descriptor(owning: MemoryFile.make("copy")) }

    /// How another process of this user gets at it.
    private func path(of file: borrowing Descriptor) -> String { "/proc/self/fd/\(file.raw)" }

    private func isLeased(_ file: borrowing Descriptor) -> Bool {
        switch FileLease(file) {
        case .some: true
        case .none: false
        }
    }

    @Test func whoOpenedItBeforeIsNoticed() throws {
        let file = file()
        let other = Descriptor(owning: open(path(of: file), O_RDWR))
        let isOpen = other.raw >= 0
        #expect(isOpen)
        let isLeased = isLeased(file)
        #expect(!isLeased)
    }

    @Test func whoMappedItBeforeIsNoticed() throws {
        let file = file()
        let error = ftruncate(file.raw, 4096)
        #expect(error == 0)
        let other = open(path(of: file), O_RDWR)
        let address = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, other, 0)
        close(other)
        let isLeased = isLeased(file)
        #expect(address != MAP_FAILED && !isLeased)
        munmap(address, 4096)
    }

    @Test(arguments: [O_RDONLY, O_WRONLY, O_RDWR, O_RDWR | O_TRUNC])
    func whoOpensItMeanwhileWaitsAndIsNoticed(how: Int32) throws {
        let file = file()
        guard let lease = FileLease(file) else {
            Issue.record("this kernel gives no lease on a file in memory")
            return
        }
        try file.write(Array("verified".utf8))
        let isKept = lease.isKept
        let opened = open(path(of: file), how | O_NONBLOCK)
        #expect(opened == -1 && errno == EWOULDBLOCK)
        let isStillKept = lease.isKept
        #expect(isKept && !isStillKept)
    }

    @Test func ourOwnWritesAndTheSealAreNotTakenForAnothers() throws {
        let file = file()
        guard let lease = FileLease(file) else {
            Issue.record("this kernel gives no lease on a file in memory")
            return
        }
        try file.write([UInt8](repeating: 7, count: 100_000))
        let error = MemoryFile.seal(file, mode: 0o111)
        #expect(error == 0)
        let isKept = lease.isKept
        let isSealed = MemoryFile.isSealed(file.raw)
        #expect(isKept && isSealed)
    }

    /// By a copy that is not the program: where nobody opened it no byte is looked at, and in every other case each is.
    @Test(arguments: ["nobody", "before", "meanwhile"]) func whoeverOpensItHasItCompared(who: String) throws {
        guard let path = try Probes.path("echo") else { return }
        let program = try SealedFile(try readFile(path))
        let prepared = try Sandbox().prepare(
            .executable(fd: program.fd), arguments: [], limits: .standard)
        let file = file()
        let early = who == "before" ? open(self.path(of: file), O_RDWR) : -1
        defer { if early >= 0 { close(early) } }
        let lease = FileLease(file)
        try file.write(Array("another program".utf8))
        if who == "meanwhile" { _ = open(self.path(of: file), O_RDWR | O_NONBLOCK) }
        let error = MemoryFile.seal(file, mode: 0o111)
        let isVerified = RunCopy.isVerified(file, lease, prepared)
        #expect(error == 0 && isVerified == (who == "nobody"))
    }
}

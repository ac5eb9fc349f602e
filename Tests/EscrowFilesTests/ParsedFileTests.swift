import EscrowDiagnostics
import EscrowFiles
import Glibc
import Synchronization
import TemporaryFolder
import Testing

@Suite struct ParsedFileTests {
    let scratch: TemporaryFolder
    let path: String
    let file: ParsedFile<String>
    let parses = Parses()

    final class Parses: Sendable {
        let count = Mutex(0)
    }

    init() throws {
        scratch = try TemporaryFolder("escrow-parsed")
        path = scratch.path + "/value"
        file = ParsedFile(path, limit: 100)
    }

    func value() throws -> String? {
        try file.value { (bytes) throws(Diagnostic) in
            parses.count.withLock { $0 += 1 }
            guard bytes != Array("bad".utf8) else { throw Diagnostic(.grantsUnreadable, "bad") }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    @Test func everyReplacementIsSeenAtOnce() throws {
        #expect(try value() == nil)
        // The same length each time, and as fast as can be: no time of change tells these apart.
        for number in 1000..<1500 {
            try SecureFile.replace(path, with: Array("\(number)".utf8))
            #expect(try value() == "\(number)")
            #expect(try value() == "\(number)")
        }
        #expect(parses.count.withLock { $0 } == 500)
        unlink(path)
        #expect(try value() == nil)
    }

    @Test func whatIsWrittenIntoTheFileItselfIsSeenAtOnce() throws {
        try SecureFile.replace(path, with: Array("1000".utf8))
        for number in 1001..<1500 {
            let file = try Descriptor(opening: path, O_WRONLY)
            try file.write(Array("\(number)".utf8))
            #expect(try value() == "\(number)")
        }
    }

    @Test func aFileAtRestIsNotReadAgainUntilItChanges() throws {
        try SecureFile.replace(path, with: Array("one".utf8))
        var rested = stat()
        var now = timespec()
        // Until the file counts as at rest: the clock moves by itself.
        repeat {
            #expect(stat(path, &rested) == 0)
            clock_gettime(CLOCK_REALTIME_COARSE, &now)
        } while (now.tv_sec - rested.st_ctim.tv_sec) * 1000 + (now.tv_nsec - rested.st_ctim.tv_nsec)
            / 1_000_000
            <= 110
        #expect(try value() == "one")
        // One that it cannot be opened any more: what was read is held.
        #expect(try value() == "one")
        let file = try Descriptor(opening: path, O_WRONLY)
        try file.write(Array("two".utf8))
        #expect(try value() == "two")
        try SecureFile.replace(path, with: Array("six".utf8))
        #expect(try value() == "six")
    }

    @Test func whatCannotBeParsedIsTriedAnewAndNotHeld() throws {
        try SecureFile.replace(path, with: Array("one".utf8))
        #expect(try value() == "one")
        try SecureFile.replace(path, with: Array("bad".utf8))
        for _ in 0..<2 { #expect(throws: Diagnostic(.grantsUnreadable, "")) { _ = try value() } }
        try SecureFile.replace(path, with: Array(repeating: 7, count: 101))
        #expect(throws: Diagnostic(.fileTooLarge, "")) { _ = try value() }
    }
}

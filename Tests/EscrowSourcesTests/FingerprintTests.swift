import EscrowSchema
import Glibc
import Testing

@testable import EscrowPeople

/// Copies of a table are used again only while its files are what they were.
@Suite(.timeLimit(.minutes(60))) struct FingerprintTests {
    private let folder: Folder

    init() async throws {
        folder = try Folder()
        for name in ["a.vcf", "b.vcf"] { write(name, "BEGIN:VCARD\nVERSION:3.0\nFN:Ann\nEND:VCARD\n") }
        try await folder.settle()
    }

    private func write(_ name: String, _ text: String, seconds: Int = 1_700_000_000) {
        age(folder.write(name, text), seconds)
    }

    private func age(_ path: String, _ seconds: Int) {
        var times = [timeval(tv_sec: seconds, tv_usec: 0), timeval(tv_sec: seconds, tv_usec: 0)]
        utimes(path, &times)
    }

    private func fingerprint() throws -> TableFingerprint? {
        try Table("Contacts", .contacts, folder.path).source.fingerprint()
    }

    @Test func anUntouchedFolderHasOneFingerprint() throws {
        let first = try #require(try fingerprint())
        #expect(try fingerprint() == first)
    }

    @Test(arguments: ["content", "content and the time before", "time", "name", "more", "less", "other file"])
    func everyChangeShows(_ change: String) async throws {
        let before = try #require(try fingerprint())
        switch change {
        case "content": write("a.vcf", "BEGIN:VCARD\nVERSION:3.0\nFN:Bertha\nEND:VCARD\n")
        case "content and the time before": write("a.vcf", "BEGIN:VCARD\nVERSION:3.0\nFN:Bob\nEND:VCARD\n")
        case "time": age(folder.path + "/a.vcf", 1_700_000_001)
        case "name": rename(folder.path + "/a.vcf", folder.path + "/c.vcf")
        case "more": write("c.vcf", "BEGIN:VCARD\nVERSION:3.0\nFN:Cid\nEND:VCARD\n")
        case "less": unlink(folder.path + "/b.vcf")
        default:
            write("new", "BEGIN:VCARD\nVERSION:3.0\nFN:Eve\nEND:VCARD\n")
            rename(folder.path + "/new", folder.path + "/a.vcf")
        }
        #expect(try fingerprint() != before)
        try await folder.settle()
        let after = try #require(try fingerprint())
        #expect(after != before)
    }

    @Test func whatChangedAMomentAgoOrHasALogBesideItIsNeverKept() async throws {
        for isAged in [false, true] {
            var found: TableFingerprint?
            // Once more where it was no moment ago any more.
            repeat {
                let path = folder.write("now.vcf", "BEGIN:VCARD\nVERSION:3.0\nFN:Now\nEND:VCARD\n")
                if isAged { age(path, 1_700_000_000) }
                found = try fingerprint()
            } while !folder.isYoung("now.vcf")
            #expect(found == nil)
        }
        try await folder.settle()
        #expect(try fingerprint() != nil)
        write("abook.sqlite", "SQLite format 3\0")
        try await folder.settle()
        #expect(try fingerprint() == nil)
    }
}

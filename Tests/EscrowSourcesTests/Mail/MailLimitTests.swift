import EscrowSchema
import EscrowTabular
import Glibc
import Testing

@testable import EscrowPeople
@testable import EscrowTableKit

@Suite("Mail that is broken, large or known")
struct MailLimitTests {
    private static let hostile = [
        "", "\n", "no header at all\nSubject: x\n\n", ": empty name\nSubject: x\n", "Subject", "Subject:\n\n",
        " \n folded from nothing\n\n", "\0\0\0: \0\n\0",
        "To: " + String(repeating: "(", count: 20_000),
        "To: " + String(repeating: "\"<[:;,=?", count: 10_000),
        "From: " + String(repeating: "=?a?q?x", count: 20_000) + "\n\n",
        "Subject: " + String(repeating: "=?utf-8?Q?=C3?= ", count: 10_000) + "\n\n",
        "Date: " + String(repeating: "1 ", count: 20_000) + "\n\n",
        String(repeating: "To: a@b\n", count: 20_000),
    ]

    @Test(
        "mail that is no mail, or broken, costs its own row at most",
        arguments: Self.hostile.indices)
    func broken(_ index: Int) throws {
        let text = Self.hostile[index]
        let folder = try Folder()
        folder.write("cur/1:2,", text)
        folder.write(
            "box.mbox",
            "From a Sat Nov 22 10:00:00 2025\n\(text)\n\nFrom b Sat Nov 22 10:00:00 2025\nSubject: b\n")
        let table = Table("Messages", .mail, folder.path)
        let rows = try table.rows("folder", "subject")
        #expect(rows.map { $0[0] } == ["box", "box", "INBOX"])
        #expect(rows[1][1] == "b")
        #expect(try table.rows().count == 3)
        let recipients = Table("MessageRecipients", .mail, folder.path)
        let all = try recipients.ids()
        #expect(Set(all).count == all.count)
        #expect(try recipients.rows("position").count == all.count)
    }

    @Test("more than 1 MiB of headers is cut off and told; the rest of the file is served")
    func longHeaders() throws {
        let folder = try Folder()
        let long = "X-Long: " + String(repeating: "x", count: 2 << 20)
        folder.write("a.mbox", "From a\nSubject: a\n\(long)\nTo: late@b\n\nFrom b\nSubject: b\n\n")
        let log = ProblemLog()
        #expect(try Table("Messages", .mail, folder.path, log: log).rows("subject") == [["a"], ["b"]])
        #expect(log.reasons == ["more than 1 MiB of headers; the rest was passed over"])
        #expect(try Table("MessageRecipients", .mail, folder.path).rows("address") == [])
    }

    @Test("a Message-ID that is too long to repeat for each recipient is none")
    func longID() throws {
        let folder = try Folder()
        let id = String(repeating: "x", count: 999)
        folder.write("a.eml", "Message-ID: <\(id)>\nTo: a@b, c@d\n\n")
        guard
            case .text(let text) = try Table("MessageRecipients", .mail, folder.path).rows("messageID")[1][0]
        else {
            Issue.record("no id")
            return
        }
        #expect(text.count == 32)
    }

    @Test("what a Maildir's mails say is kept, so that each is read once, and gives the same rows")
    func kept() async throws {
        let folder = try MailTests.mail()
        let home = try Folder()
        func age(_ path: String) {
            var times = [
                timespec(tv_sec: 1_700_000_000, tv_nsec: 0), timespec(tv_sec: 1_700_000_000, tv_nsec: 0),
            ]
            #expect(utimensat(AT_FDCWD, path, &times, 0) == 0)
        }
        let files = [
            "Maildir/cur/1700000000.1.host:2,FRS", "Maildir/new/1700000001.1.host",
            "Maildir/.Lists.Entw&APw-rfe/cur/1:2,D", "one.eml",
        ]
        for file in files { age(folder.path + "/" + file) }
        try await folder.settle()
        func read() throws -> (rows: [[Cell]], opened: Int) {
            let memory = SourceMemory(directory: home.path)
            let context = SourceContext(MailAdapter(), roots: [folder.path], memory: memory) { _, _ in }
            let rows = try Table(MailTable(part: .messages, context: context)).rows()
            return (rows, memory.filesRead)
        }
        let plain = try Table("Messages", .mail, folder.path).rows()
        let first = try read()
        #expect(first.rows == plain && first.opened == files.count)
        let second = try read()
        #expect(second.rows == plain && second.opened == 0)
        folder.write("one.eml", "Subject: other\nReferences: <a> <b>\n\n")
        age(folder.path + "/one.eml")
        try await folder.settle()
        let third = try read()
        #expect(third.opened == 1 && third.rows.last?[3] == "other" && third.rows.last?[6] == "b")
        #expect(try read().rows == third.rows)
    }

    @Test("kept headers come back, and bytes that are none are refused")
    func keptBytes() throws {
        var headers = MailHeaders(MailHeaders.kept)
        for line in ["Subject: a", " b", "References: <x> <y>", "To: nobody", "From: \u{E4}@b"] {
            _ = headers.take(Array(line.utf8)[...], continuesLine: false, endsLine: true)
        }
        var bytes: [UInt8] = []
        #expect(headers.append(to: &bytes))
        let back = try #require(bytes.withUnsafeBytes { MailHeaders($0) })
        #expect(back.first(.subject).map { Array($0) } == Array(" a b".utf8))
        #expect(back.first(.references).map { Array($0) } == Array("<y>".utf8))
        #expect(back.first(.from).map { Array($0) } == Array(" \u{E4}@b".utf8) && back.first(.to) == nil)
        var whole = 0
        for length in 0..<bytes.count where bytes[..<length].withUnsafeBytes({ MailHeaders($0) }) != nil {
            whole += 1
        }
        // Only where a field ends.
        #expect(whole == 3)
        #expect([MailField.to.rawValue, 0, 0].withUnsafeBytes { MailHeaders($0) } == nil)
        #expect(([200, 0, 0] as [UInt8]).withUnsafeBytes { MailHeaders($0) } == nil)
        let subject: [UInt8] = [MailField.subject.rawValue, 1, 0, 0x61]
        let from: [UInt8] = [MailField.from.rawValue, 1, 0, 0x62]
        #expect((subject + from).withUnsafeBytes { MailHeaders($0) } != nil)
        #expect((from + subject).withUnsafeBytes { MailHeaders($0) } == nil, "in another order")
        #expect((subject + subject).withUnsafeBytes { MailHeaders($0) } == nil, "one twice")
        let references = [MailField.references.rawValue, 6, 0] + Array("<x><y>".utf8)
        #expect(references.withUnsafeBytes { MailHeaders($0) } == nil, "more than is kept")
    }

    @Test("headers with a field that is too long are not kept, and leave nothing behind")
    func tooLongToKeep() {
        var headers = MailHeaders(MailHeaders.kept)
        for line in ["From: a@b", "Subject: " + String(repeating: "s", count: 1 << 16)] {
            _ = headers.take(Array(line.utf8)[...], continuesLine: false, endsLine: true)
        }
        var bytes: [UInt8] = [1, 2, 3]
        #expect(!headers.append(to: &bytes) && bytes == [1, 2, 3])
    }

    @Test("an mbox of any size is read in the same memory")
    func memory() async {
        // In a process of its own: other tests run beside this one, and their memory must not count.
        await #expect(processExitsWith: .success) {
            let folder = try Folder()
            let path = folder.write("big", "From a\nSubject: first\n\n")
            // A hole of 1 GiB is one text without a line break; behind it many mails with lines.
            #expect(truncate(path, 1 << 30) == 0)
            let file = fopen(path, "a")!
            let text = String(repeating: "A line of a text that nobody reads.\n", count: 100)
            for number in 0..<1_000 {
                fputs("\nFrom a Sat Nov 22 10:00:00 2025\nSubject: \(number)\nTo: a@b\n\n\(text)", file)
            }
            fclose(file)
            let table = Table("Messages", .mail, folder.path)
            let scan = try table.source.snapshot(assets: table.assets).scan(
                ScanRequest(columns: ColumnMask(table.source.spec.columns.indices)))
            let chunk = ColumnChunk(spec: table.source.spec)
            let before = residentKiB()
            var count = 0
            while try scan.next(into: chunk) { count += chunk.rowCount }
            #expect(count == 1_001)
            #expect(residentKiB() - before < 32 << 10)
        }
    }
}

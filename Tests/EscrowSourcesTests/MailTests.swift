import EscrowDiagnostics
import EscrowSchema
import EscrowTabular
import Glibc
import Testing

@testable import EscrowSources

@Suite("Mail")
struct MailTests {
    /// Mail as three programs keep it.
    private func mail() throws -> Folder {
        let folder = try Folder()
        folder.write(
            "Maildir/cur/1700000000.1.host:2,FRS",
            """
            Message-ID: <one@example.org>\r
            Date: Fri, 21 Nov 2025 09:55:06 +0100\r
            From: "Ada, Countess" <ada@example.org>\r
            To: Charles <charles@example.org>,\r
            \tThe team: mary@example.org, "R. Boole" <boole@example.org>;\r
            Cc: (nobody)\r
            Bcc: =?utf-8?Q?J=C3=B6rg?= <joerg@example.org>\r
            Subject: =?iso-8859-1?Q?Gr=FC=DFe?= =?iso-8859-1?Q?_aus?= Bergen\r
            In-Reply-To: <zero@example.org> (of yesterday)\r
            List-Id: Engines <engines.example.org>\r
            Content-Type: multipart/mixed; boundary=x\r
            \r
            Subject: this is text\r
            """)
        folder.write("Maildir/new/1700000001.1.host", "From: bob@example.org\nSubject: Hi\n\nfrom bob\n")
        folder.write("Maildir/tmp/1700000002.1.host", "Subject: not delivered\n\n")
        folder.write("Maildir/.Lists.Entw&APw-rfe/cur/1:2,D", "Subject: =?utf-8?B?w6R0?=\n\n")
        folder.write("Maildir/.notmuch/xapian/flintlock", "From nobody")
        folder.write("Maildir/dovecot-uidlist", "3 V1 N5\n")
        folder.write("Local/Inbox.msf", "// <!-- <mdb:mork")
        folder.write("Local/Drafts", "")
        folder.write(
            "Local/Inbox",
            """
            From - Fri Nov 21 09:55:06 2025
            X-Mozilla-Status: 0003
            Message-ID: <two@example.org>
            References: <zero@example.org> <one@example.org>
            Subject: first

            one line
            >From the start, escaped

            From the program that does not escape
            and goes on.

            From MAILER-DAEMON Sat Nov 22 10:00:00 2025
            X-Mozilla-Status: 0009
            Subject: deleted

            gone
            """)
        folder.write(
            "Local/Inbox.sbd/Work.mbox",
            "From x\nSubject: last\nStatus: RO\nX-Status: AF\n\n\nFrom y\nTo: root\n")
        folder.write("one.eml", "Subject: alone\nTo: a@b\n")
        return folder
    }

    @Test("each mail is a row with what its headers say, folder by folder")
    func rows() throws {
        let folder = try mail()
        let log = ProblemLog()
        let rows = try Table("Messages", .mail, folder.path, log: log).rows(
            "folder", "timestamp", "subject", "fromName", "fromAddress", "inReplyTo", "listID",
            "mayHaveAttachment", "size", "isSeen", "isFlagged", "isAnswered", "isDraft", "isDeleted")
        #expect(log.reasons == [])
        #expect(
            rows == [
                [
                    "Local/Inbox", nil, "first", nil, nil, "one@example.org", nil, 0, 204, 1, 0, 1, 0, 0,
                ],
                ["Local/Inbox/Work", nil, "last", nil, nil, nil, nil, 0, 39, 1, 1, 1, 0, 0],
                ["Local/Inbox/Work", nil, nil, nil, nil, nil, nil, 0, 9, 0, 0, 0, 0, 0],
                ["Maildir/Lists/Entwürfe", nil, "ät", nil, nil, nil, nil, 0, 27, 0, 0, 0, 1, 0],
                [
                    "Maildir", "2025-11-21T08:55:06.000Z", "Grüße aus Bergen", "Ada, Countess",
                    "ada@example.org", "zero@example.org", "engines.example.org", 1, 492, 1, 1, 1, 0, 0,
                ],
                ["Maildir", nil, "Hi", nil, "bob@example.org", nil, nil, 0, 44, 0, 0, 0, 0, 0],
                [nil, nil, "alone", nil, nil, nil, nil, 0, 23, 0, 0, 0, 0, 0],
            ])
        let inbox = try Table("Messages", .mail, folder.path + "/Maildir").rows("folder")
        #expect(inbox == [["Lists/Entwürfe"], ["INBOX"], ["INBOX"]])
        let file = try Table("Messages", .mail, folder.path + "/Local/Inbox").rows("folder", "id")
        #expect(file == [["Inbox", "two@example.org"]])
    }

    @Test("each address that a mail was sent to is a row")
    func recipients() throws {
        let folder = try mail()
        let rows = try Table("MessageRecipients", .mail, folder.path).rows(
            "messageID", "folder", "position", "kind", "name", "address")
        let one: Cell = "one@example.org"
        #expect(
            rows[1...5] == [
                [one, "Maildir", 1, "to", "Charles", "charles@example.org"],
                [one, "Maildir", 2, "to", nil, "mary@example.org"],
                [one, "Maildir", 3, "to", "R. Boole", "boole@example.org"],
                [one, "Maildir", 4, "cc", "nobody", nil],
                [one, "Maildir", 5, "bcc", "Jörg", "joerg@example.org"],
            ])
        #expect(
            rows.map { $0[5] } == [
                "root", "charles@example.org", "mary@example.org", "boole@example.org", nil,
                "joerg@example.org", "a@b",
            ])
    }

    @Test("a mail without a Message-ID keeps its id when it is read, marked and moved within its folder")
    func placeNames() throws {
        let folder = try Folder()
        let old = folder.write("new/1.host", "Subject: x\n\n")
        let before = try Table("Messages", .mail, folder.path).rows("id")
        folder.write("cur/2.host", "Subject: x\n\n")
        rename(old, folder.path + "/cur/1.host:2,S")
        let after = try Table("Messages", .mail, folder.path).rows("id")
        #expect(before[0] == after[0] && after.count == 2 && after[0] != after[1])
        guard case .text(let name) = before[0][0] else { Issue.record("no id"); return }
        #expect(name.count == 32)
    }

    @Test(
        "lists of addresses are read as RFC 5322 says, and what is wrong with one loses no other",
        arguments: [
            ("ada@example.org", "|ada@example.org"),
            ("Ada <ada@example.org>", "Ada|ada@example.org"),
            ("\"Ada \\\"the\\\" King\" <ada@example.org>", "Ada \"the\" King|ada@example.org"),
            ("ada@example.org (Ada (Countess) King)", "Ada (Countess) King|ada@example.org"),
            ("Ada . K <ada(x)@ (y) example.org>", "Ada . K|ada@example.org"),
            ("\"a, b\"@example.org, c@d", "|\"a, b\"@example.org;|c@d"),
            ("<@relay.org,@two.org:ada@example.org>", "|ada@example.org"),
            ("Team: a@b, C <c@d>; , e@f", "|a@b;C|c@d;|e@f"),
            ("undisclosed-recipients:;", ""), ("", ""), (" , ,; ", ""), ("<>", ""),
            ("root", "|root"), ("Ada Lovelace", "Ada Lovelace|"),
            ("Ada Lovelace ada@example.org", "Ada Lovelace|ada@example.org"),
            ("ada@example.org work", "|ada@example.org"),
            ("Ada <ada@example.org, Bob <bob@example.org>", "Ada|ada@example.org;Bob|bob@example.org"),
            ("\"Ada <ada@example.org>, bob@example.org", "\"Ada|ada@example.org;|bob@example.org"),
            ("(Ada <ada@example.org>, bob@example.org", "(Ada|ada@example.org;|bob@example.org"),
            ("ada@[192.0.2.1], b@[IPv6:2001:db8::1]", "|ada@[192.0.2.1];|b@[IPv6:2001:db8::1]"),
            ("=?utf-8?Q?J=C3=B6rg?= =?utf-8?Q?_M?= x <j@x>", "Jörg M x|j@x"),
            ("\"=?utf-8?B?SsO2cmc=?=\" <j@x>", "Jörg|j@x"),
            ("Jörg <jörg@bücher.example>", "Jörg|jörg@bücher.example"),
            ("a@b\\,c", "|a@b\\;|c"), ("<<a@b>>", "|a@b"),
        ])
    func addresses(_ text: String, _ expected: String) {
        var list = MailAddressList(Array(text.utf8)[...])
        var found: [String] = []
        while let next = list.next() {
            found.append(
                String(decoding: next.name, as: UTF8.self) + "|"
                    + String(decoding: next.address, as: UTF8.self))
        }
        #expect(found.joined(separator: ";") == expected)
    }

    @Test(
        "encoded words are decoded, joined and cleaned; all else stays as it is",
        arguments: [
            ("plain", "plain"), ("a =?utf-8?q?b?= c", "a b c"), ("=?utf-8?q?a?= =?utf-8?q?b?=", "ab"),
            ("=?utf-8?q?a?=\n\t=?iso-8859-1?q?=E4?= d", "aä d"), ("=?utf-8?Q?=C3?= =?utf-8?Q?=A4?=", "ä"),
            ("=?ISO-2022-JP?B?GyRCRnxLXBsoQg==?=", "日本"), ("=?iso-2022-jp?Q?=1B$B=46|=4B\\=1B(B!?=", "日本!"),
            ("=?utf-8*de?Q?=C3=A4?=", "ä"), ("=?koi8-r?B?8NLJ18XU?=", "Привет"),
            ("=?no-such?Q?a=E4b?=", "a\u{FFFD}b"), ("=?utf-8?X?a?=", "=?utf-8?X?a?="),
            ("=?utf-8?Q?a", "=?utf-8?Q?a"), ("=?", "=?"), ("=?utf-8?Q?a?", "=?utf-8?Q?a?"),
            ("1=2 =?= ?=", "1=2 =?= ?="),
            ("=?utf-8?Q?a=0D=0ABcc:_x=00?=", "a  Bcc: x"),
            ("=?utf-8?Q?not_ended =?utf-8?Q?b?=", "=?utf-8?Q?not_ended b"),
            ("=?utf-8?B?SsO2cmc?=", "Jörg"), ("=?windows-1252?Q?=80?=", "€"), ("=?iso_8859-1?Q?=E4?=", "ä"),
            ("=?utf-8?Q??=x", "x"),
        ])
    func encodedWords(_ text: String, _ expected: String) {
        #expect(String(decoding: EncodedWords.decode(Array(text.utf8)[...]), as: UTF8.self) == expected)
    }

    @Test("bytes that are not UTF-8 are read as Windows-1252")
    func rawBytes() {
        #expect(String(decoding: EncodedWords.decode([0x4A, 0xF6, 0x72, 0x67, 0]), as: UTF8.self) == "Jörg")
    }

    @Test(
        "dates of mail, with the forms of old",
        arguments: [
            ("Fri, 21 Nov 1997 09:55:06 -0600", "1997-11-21T15:55:06.000Z"),
            ("21 Nov 97 09:55 GMT", "1997-11-21T09:55:00.000Z"),
            ("Thu,\t13 Feb 1969 23:32:54.123 -0330 (Newfoundland (Time))", "1969-02-14T03:02:54.000Z"),
            ("Fri, 21 Nov 1997 09(comment): 55 : 06 -0600", nil),
            ("21-Nov-1997 09:55:06+0100", "1997-11-21T08:55:06.000Z"),
            ("Fri Nov 21 09:55:06 1997", "1997-11-21T09:55:06.000Z"),
            ("Fri Nov 21 09:55:06 PST 1997", "1997-11-21T17:55:06.000Z"),
            ("21 November 2025 09:55:60 EDT", "2025-11-21T13:56:00.000Z"),
            ("6 Jul 1992 00:41:59MST", "1992-07-06T07:41:59.000Z"),
            ("1 Jan 49 00:00 Z", "2049-01-01T00:00:00.000Z"),
            ("1 Jan 104 00:00 Q", "2004-01-01T00:00:00.000Z"),
            ("31 Feb 2025 00:00:00 +0000", nil), ("today", nil), ("", nil), ("1 Jan 2025", nil),
            ("1 Jan 2025 24:00 +0000", nil), ("1 Jan 2025 00:00 +9999", "2025-01-01T00:00:00.000Z"),
        ])
    func dates(_ text: String, _ expected: String?) {
        #expect(MailDate.read(Array(text.utf8)[...])?.iso8601 == expected)
    }

    @Test("terms on the folder and on a Maildir's marks leave files unopened; those on headers do not")
    func pushdown() throws {
        let folder = try Folder()
        let seen = folder.write("cur/1:2,S", "Subject: seen\n\n")
        let mbox = folder.write("Work", "From x\nSubject: work\n\n")
        folder.write("new/2", "Subject: new\n\n")
        let log = ProblemLog()
        let table = Table("Messages", .mail, folder.path, log: log)
        let snapshot = try table.source.snapshot(assets: AssetTable())
        unlink(seen)
        unlink(mbox)
        func subjects(_ terms: [Predicate], _ columns: [String]) throws -> [Cell] {
            let scan = try snapshot.scan(
                ScanRequest(columns: ColumnMask(columns.map { table.column($0) }), predicates: terms))
            let chunk = ColumnChunk(spec: table.source.spec)
            var found: [Cell] = []
            while try scan.next(into: chunk) {
                for row in 0..<chunk.rowCount {
                    found.append(chunk.cell(row: row, column: table.column(columns[0])))
                }
            }
            return found
        }
        let unread = Predicate(column: table.column("isSeen"), operation: .equal, values: [0])
        let inbox = Predicate(column: table.column("folder"), operation: .equal, values: ["INBOX"])
        #expect(try subjects([unread, inbox], ["subject"]) == ["new"])
        #expect(log.reasons == [])
        // Where no header is asked for no mail of a Maildir is opened.
        #expect(try subjects([inbox], ["size"]) == [15, 14])
        #expect(log.reasons == [])
        // A mail that cannot be read stays a row.
        #expect(try subjects([inbox], ["subject"]) == [nil, "new"])
        #expect(log.reasons == ["cannot be read: no such file or directory"])
        let term = Predicate(column: table.column("subject"), operation: .equal, values: ["new"])
        #expect(try subjects([term], ["folder"]) == ["INBOX"])
        #expect(
            table.source.offer(for: ScanRequest(columns: ColumnMask([0]), predicates: [unread, term])).prunes
                == [true, true])
    }

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

    @Test("what is no mail is refused when it is added, and told when it is checked")
    func adding() throws {
        let folder = try Folder()
        folder.write("note.txt", "Dear diary\n")
        let home = try Folder()
        var registry = try SourceRegistry.load(directory: home.path)
        func refusal(_ path: String) -> String? {
            do throws(Diagnostic) { _ = try registry.add(kind: "mail", path: path) } catch {
                return error.description
            }
            return nil
        }
        #expect(refusal(folder.path)?.contains("E0804") == true)
        #expect(
            refusal(folder.path + "/note.txt")?.contains("its first line does not begin with 'From '") == true
        )
        #expect(refusal(folder.path + "/note.txt")?.contains("diary") == false)
        folder.write("bad.mbox", "Dear diary\n")
        folder.write("good.mbox", "From a\nSubject: a\n\n")
        folder.write("empty.mbox", "")
        #expect(refusal(folder.path) == nil)
        let report = registry.check()[0]
        #expect(report.files.map(\.path) == ["bad.mbox", "empty.mbox", "good.mbox", "note.txt"])
        #expect(report.files.map(\.rowCount) == [0, 0, 1, 0])
        #expect(report.files[0].problems.map(\.reason) == ["its first line does not begin with 'From '"])
        #expect(report.files[1].problems.isEmpty)
    }

    @Test("what a Maildir's mails say is kept, so that each is read once, and gives the same rows")
    func kept() throws {
        let folder = try mail()
        let home = try Folder()
        func settle(_ path: String) {
            var times = [
                timespec(tv_sec: 1_700_000_000, tv_nsec: 0), timespec(tv_sec: 1_700_000_000, tv_nsec: 0),
            ]
            #expect(utimensat(AT_FDCWD, path, &times, 0) == 0)
        }
        let files = [
            "Maildir/cur/1700000000.1.host:2,FRS", "Maildir/new/1700000001.1.host",
            "Maildir/.Lists.Entw&APw-rfe/cur/1:2,D", "one.eml",
        ]
        for file in files { settle(folder.path + "/" + file) }
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
        settle(folder.path + "/one.eml")
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
    }

    @Test("an mbox of any size is read in the same memory")
    func memory() throws {
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

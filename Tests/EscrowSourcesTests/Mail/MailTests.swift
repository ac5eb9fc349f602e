import EscrowDiagnostics
import EscrowSchema
import EscrowTabular
import Glibc
import Testing

@testable import EscrowPeople
@testable import EscrowSources

@Suite("Mail")
struct MailTests {
    /// Mail as three programs keep it.
    static func mail() throws -> Folder {
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
        let folder = try Self.mail()
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

    @Test("mails lie in folders of any name, as MH and notmuch keep them")
    func looseFiles() throws {
        let folder = try Folder()
        folder.write("01:2,", "Subject: a\n\n")
        folder.write("foo/1700000000.M1.host:2,FS", "Received: by x\nFrom: Ada <ada@example.org>\n\n")
        folder.write("inbox/12", "To: bob@example.org\n\n")
        folder.write("inbox/notes", "Title: not a mail\n\n")
        folder.write("inbox/empty", "")
        folder.write("inbox/old", "From x\nSubject: b\n\n")
        folder.write("inbox/1.jpg", "From: a picture\n\n")
        let log = ProblemLog()
        let columns = ["folder", "subject", "fromName", "isSeen", "isFlagged"]
        let table = Table("Messages", .mail, folder.path, log: log)
        let rows = try table.rows().map { row in columns.map { row[table.column($0)] } }
        #expect(
            rows == [
                [nil, "a", nil, 0, 0], ["foo", nil, "Ada", 1, 1], ["inbox", nil, nil, 0, 0],
                ["inbox/old", "b", nil, 0, 0],
            ])
        #expect(log.reasons == [])
        let recipients = try Table("MessageRecipients", .mail, folder.path).rows("folder", "address")
        #expect(recipients == [["inbox", "bob@example.org"]])
        // Marked as read, a mail keeps its id.
        let ids = try table.rows("id")
        rename(folder.path + "/01:2,", folder.path + "/01:2,S")
        #expect(try Table("Messages", .mail, folder.path).rows("id") == ids)
        let report = SourceChecker(
            SourceEntry(kind: .mail, path: folder.path, added: Timestamp(year: 2026, month: 3, day: 1)!)
        ).report()
        #expect(report.rowCount == 4 && report.skippedCount == 0 && report.otherCount == 2 && report.isClean)
    }

    @Test("each address that a mail was sent to is a row")
    func recipients() throws {
        let folder = try Self.mail()
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
}

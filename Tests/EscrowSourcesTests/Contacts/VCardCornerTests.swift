import EscrowTabular
import Testing

@testable import EscrowFormats
@testable import EscrowPeople
@testable import EscrowSourceFiles

@Suite("vCard corner cases")
struct VCardCornerTests {
    private func rows(_ text: some Sequence<UInt8>, _ columns: String..., log: ProblemLog = ProblemLog())
        throws -> [[Cell]]
    {
        let folder = try Folder()
        let table = Table("Contacts", .contacts, folder.write("a.vcf", text), log: log)
        let all = try table.rows()
        return all.map { row in columns.map { row[table.column($0)] } }
    }

    private func card(_ lines: String..., version: String = "3.0") -> String.UTF8View {
        (["BEGIN:VCARD", "VERSION:\(version)"] + lines + ["END:VCARD", ""]).joined(separator: "\r\n").utf8
    }

    @Test(
        "an id is the UID as it is meant, however its line is written",
        arguments: [
            ("UID:u-1", "u-1"), ("uid:a:b;c", "a:b;c"), ("UID: u 1 ", "u 1"), ("UID:a\\,b", "a,b"),
            ("UID;VALUE=text:u1", "u1"), ("item1.UID:u2", "u2"), ("UID:\u{e5}", "\u{e5}"),
            ("UID:one\r\n two", "onetwo"), ("UID;ENCODING=QUOTED-PRINTABLE:a=3Db", "a=b"),
            (
                "UID:urn:uuid:4fbe8971-0bc3-424c-9c26-36c3e1eff6b1",
                "urn:uuid:4fbe8971-0bc3-424c-9c26-36c3e1eff6b1"
            ),
            ("UID:first\r\nUID:second", "first"), ("UID:tab\there", "tab\there"),
        ])
    func ids(_ line: String, _ expected: String) throws {
        #expect(try rows(card(line), "id") == [[.text(expected)]])
        // Twice in a file: the second is named by its place besides.
        let both = try rows(Array(card(line)) + Array(card(line)), "id")
        #expect(both.first == [.text(expected)])
        guard case .text(let second) = both.last?.first else {
            Issue.record("the second card has no id")
            return
        }
        #expect(second.hasPrefix(expected + "#") && second.utf8.count == expected.utf8.count + 33)
    }

    @Test(
        "a card without a UID, or with an empty one, is named by its place",
        arguments: ["FN:a", "UID:", "UID: "])
    func idsOfNone(_ line: String) throws {
        guard case .text(let id) = try rows(card(line), "id").first?.first else {
            Issue.record("the card has no id")
            return
        }
        #expect(
            id.utf8.count == 32
                && id.utf8.allSatisfy {
                    ("0"..."9").contains(Character(Unicode.Scalar($0)))
                        || ("a"..."f").contains(Character(Unicode.Scalar($0)))
                })
    }

    @Test("of thousands of cards with ids again and again, the first of each keeps its UID")
    func manyIDs() throws {
        var dice = SystemRandomNumberGenerator()
        var text: [UInt8] = []
        var uids: [String] = []
        for _ in 0..<5_000 {
            uids.append("u\(Int.random(in: 0..<4_000, using: &dice))")
            text += Array(card("UID:" + uids[uids.count - 1]))
        }
        var seen: Set<String> = []
        for (row, uid) in zip(try rows(text, "id"), uids) {
            guard case .text(let id) = row[0] else { continue }
            #expect(seen.insert(uid).inserted ? id == uid : id.hasPrefix(uid + "#"))
        }
        #expect(seen.count == Set(uids).count)
    }

    @Test(
        "a birthday is an ISO date, or words where the card says that it is text",
        arguments: [
            ("BDAY:1996-04-15", "1996-04-15"), ("BDAY:19960415", "1996-04-15"),
            ("BDAY:1953-10-15T23:10:00Z", "1953-10-15"),
            ("BDAY;VALUE=date:--0415", "--04-15"), ("BDAY:--04-15", "--04-15"), ("BDAY:1996-04", "1996-04"),
            ("BDAY:1996", "1996"),
            ("BDAY;X-APPLE-OMIT-YEAR=1604:1604-04-15", "--04-15"), ("BDAY:--0229", "--02-29"),
            ("BDAY:1996-02-30", nil), ("BDAY;VALUE=text:circa 1800", "circa 1800"), ("BDAY:circa 1800", nil),
            ("BDAY:---15", nil),
            ("BDAY:", nil),
        ] as [(String, String?)])
    func birthdays(_ line: String, _ expected: String?) throws {
        #expect(try rows(card(line), "birthday") == [[expected.map { Cell.text($0) } ?? .null]])
    }

    @Test(
        "a revision is a moment",
        arguments: [
            ("REV:19951031T222710Z", "1995-10-31T22:27:10.000Z"),
            ("REV:1995-10-31T22:27:10.5+01:00", "1995-10-31T21:27:10.500Z"),
            ("REV:1995-10-31", "1995-10-31T00:00:00.000Z"), ("REV:20200101T00", "2020-01-01T00:00:00.000Z"),
            ("REV:yesterday", nil), ("REV:19951331T222710Z", nil),
        ] as [(String, String?)])
    func revisions(_ line: String, _ expected: String?) throws {
        #expect(try rows(card(line), "modificationDate") == [[expected.map { Cell.text($0) } ?? .null]])
    }

    @Test("version 4: the smallest PREF wins, a tel URI loses its scheme, quoted types are types")
    func preferences() throws {
        let text = card(
            "TEL;PREF=2:1", "TEL;VALUE=uri;PREF=1;TYPE=\"cell,home\":tel:+1-555-0100", "TEL;PREF=1:3",
            "EMAIL;PREF=x:a@b", version: "4.0")
        #expect(try rows(text, "phoneNumber", "emailAddress") == [["+1-555-0100", "a@b"]])
    }

    @Test("names of properties and parameters have no case, and an unknown property is passed over")
    func caseless() throws {
        let text = card("x-odd;q=\"a:b\":c", "tEl;tYpE=PREF:2", "a.b.fN:Name", "NICKNAME:x")
        #expect(try rows(text, "phoneNumber", "fullName", "nickname") == [["2", "Name", "x"]])
    }

    @Test("a colon in a quoted parameter does not begin the value")
    func quotedColon() throws {
        #expect(try rows(card("FN;ALTID=\"a:b;c\":Name"), "fullName") == [["Name"]])
    }

    @Test("without FN the full name is made of the parts")
    func madeName() throws {
        #expect(try rows(card("N:Family;Given;;Dr.;Jr."), "fullName") == [["Dr. Given Family Jr."]])
    }

    @Test("UIDs make ids; a second card with a UID, and one without, get ids of their own that stay the same")
    func ids() throws {
        let text = Array(card("UID:u1")) + Array(card("UID:u1")) + Array(card("FN:x")) + Array(card("UID:"))
        let folder = try Folder()
        let table = Table("Contacts", .contacts, folder.write("a.vcf", text))
        let ids = try table.rows("id").map(\.[0])
        #expect(ids[0] == "u1")
        #expect(Set(ids).count == 4)
        #expect(try table.rows("id").map(\.[0]) == ids)
        #expect(try table.rows("id", "note", "fullName", chunkRows: 1).map(\.[0]) == ids)
    }

    @Test("lists of contacts are none; an organization is told from a person")
    func kinds() throws {
        let text =
            Array(card("KIND:group", "FN:g", version: "4.0"))
            + Array(card("X-ADDRESSBOOKSERVER-KIND:group", "FN:g"))
            + Array(card("KIND:org", "FN:o", version: "4.0")) + Array(card("X-ABShowAs:COMPANY", "FN:c"))
            + Array(card("FN:p"))
        #expect(try rows(text, "fullName", "contactType") == [["o", 1], ["c", 1], ["p", 0]])
    }

    @Test("a picture is noticed and never read, however long its lines are")
    func pictures() throws {
        let noise = String(repeating: "QUJD", count: 3_000_000)
        let text = Array(card("FN:a", "PHOTO;ENCODING=b:" + noise, "TEL:1")) + Array(card("FN:b"))
        let log = ProblemLog()
        #expect(
            try rows(text, "fullName", "phoneNumber", "imageDataAvailable", log: log) == [
                ["a", "1", 1], ["b", nil, 0],
            ])
        #expect(log.reasons == [])
    }

    @Test("a property beyond the limit is left out, and a card beyond its own, and both are told")
    func limits() throws {
        let long = String(repeating: "x", count: VCardReader.lineLimit)
        let log = ProblemLog()
        #expect(try rows(card("FN:a", "NOTE:" + long), "fullName", "note", log: log) == [["a", nil]])
        #expect(log.reasons.count == 1)
        let many = Array(repeating: "NOTE:" + String(repeating: "y", count: 1 << 19), count: 9)
        let text = Array(
            (["BEGIN:VCARD", "FN:big"] + many + ["END:VCARD", ""]).joined(separator: "\n").utf8)
        let second = ProblemLog()
        #expect(try rows(text + Array(card("FN:b")), "fullName", log: second) == [["b"]])
        #expect(second.reasons.count == 1)
    }

    @Test("which cards are served does not depend on the columns asked for")
    func sameRows() throws {
        let many = Array(repeating: "NOTE:" + String(repeating: "y", count: 1 << 19), count: 9)
        let big = Array((["BEGIN:VCARD", "FN:big"] + many + ["END:VCARD", ""]).joined(separator: "\n").utf8)
        let folder = try Folder()
        let table = Table("Contacts", .contacts, folder.write("a.vcf", big + Array(card("FN:b"))))
        #expect(try table.rows("imageDataAvailable").count == 1)
        #expect(try table.rows("note").count == 1)
        #expect(try table.rows("fullName").count == 1)
    }

    @Test("a card that does not end is left out and told; the next one is served")
    func unterminated() throws {
        let text = Array("BEGIN:VCARD\nFN:lost\nBEGIN:VCARD\nFN:kept\nEND:VCARD\nBEGIN:VCARD\nFN:cut".utf8)
        let log = ProblemLog()
        #expect(try rows(text, "fullName", log: log) == [["kept"]])
        #expect(log.problems.map(\.problem.line) == [1, 6])
    }

    @Test("a card within a card (AGENT) is no contact")
    func agent() throws {
        let text =
            "BEGIN:VCARD\nVERSION:2.1\nFN:boss\nAGENT:\nBEGIN:VCARD\nFN:agent\nTEL:2\nEND:VCARD\nTEL:1\nEND:VCARD\n"
        #expect(try rows(text.utf8, "fullName", "phoneNumber") == [["boss", "1"]])
    }

    @Test("2.1 keeps the white space of a fold, 3.0 drops one character of it")
    func folding() throws {
        #expect(try rows("BEGIN:VCARD\nVERSION:2.1\nNOTE:a\n b\nEND:VCARD\n".utf8, "note") == [["a b"]])
        #expect(try rows("BEGIN:VCARD\nVERSION:3.0\nNOTE:a\n b\n\tc\nEND:VCARD\n".utf8, "note") == [["abc"]])
    }

    @Test("a backslash n is a line break, but not in version 2.1")
    func escapes() throws {
        #expect(try rows(card("NOTE:a\\nb\\,c\\\\d\\x"), "note") == [["a\nb,c\\d\\x"]])
        #expect(try rows(card("NOTE:C:\\new\\;x", version: "2.1"), "note") == [["C:\\new;x"]])
    }

    @Test("text that is not UTF-8 is read as Windows-1252, and NUL is left out")
    func repair() throws {
        let text =
            Array("BEGIN:VCARD\nFN:J".utf8) + [0xF6, 0x72, 0x67, 0x80, 0] + Array("x\nEND:VCARD\n".utf8)
        #expect(try rows(text, "fullName") == [["Jörg€x"]])
    }

    @Test("charsets are converted, and one that is not on the list is left to the repair")
    func charsets() throws {
        let japanese: [UInt8] = [0x83, 0x65, 0x83, 0x58, 0x83, 0x67]  // テスト; the trail bytes include ASCII
        let head = Array("BEGIN:VCARD\nVERSION:2.1\nN;CHARSET=Shift_JIS:".utf8)
        #expect(
            try rows(head + japanese + Array(";x\nEND:VCARD\n".utf8), "familyName", "givenName") == [
                ["テスト", "x"]
            ])
        #expect(try rows(card("FN;CHARSET=ISO-2022-CN-EXT:a", version: "2.1"), "fullName") == [["a"]])
        #expect(
            try rows(
                card("N;CHARSET=WINDOWS-1251;ENCODING=QUOTED-PRINTABLE:=C8=E2=E0=ED;=3B", version: "2.1"),
                "familyName", "givenName")
                == [["Иван", ";"]])
    }

    @Test("an escaped quote is a quote, and a soft break before an empty line is nothing")
    func quotesAndBreaks() throws {
        #expect(try rows(card("NOTE:say \\\"hi\\\""), "note") == [["say \"hi\""]])
        let text =
            "BEGIN:VCARD\r\nVERSION:2.1\r\nNOTE;ENCODING=QUOTED-PRINTABLE:one=0D=0A=\r\ntwo=\r\n\r\nTEL:1\r\nEND:VCARD\r\n"
        #expect(try rows(text.utf8, "note", "phoneNumber") == [["one\r\ntwo", "1"]])
    }

    @Test("an escape or a soft break split between two blocks is put together again")
    func blocks() throws {
        for shift in 0..<8 {
            let filler = String(repeating: "z", count: BlockReader.blockSize - 70 + shift)
            let text =
                "BEGIN:VCARD\r\nVERSION:2.1\r\nX-FILL:\(filler)\r\nN;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;=\r\n Ada\r\nEND:VCARD\r\n"
            #expect(try rows(text.utf8, "familyName", "givenName") == [["Müller", "Ada"]], "\(shift)")
            let long = String(repeating: "=C3=BC", count: 12_000)
            let second =
                "BEGIN:VCARD\nVERSION:2.1\nX:\(String(repeating: "z", count: shift))\nNOTE;ENCODING=QUOTED-PRINTABLE:\(long)\nEND:VCARD\n"
            #expect(
                try rows(second.utf8, "note") == [[.text(String(repeating: "ü", count: 12_000))]], "\(shift)")
        }
    }

    @Test("UTF-16 is refused with a way out; an empty file and noise are no contacts")
    func notCards() throws {
        let log = ProblemLog()
        #expect(try rows([0xFF, 0xFE, 0x42, 0, 0x45, 0], "id", log: log).isEmpty)
        #expect(log.reasons.first?.contains("iconv") == true)
        #expect(try rows([], "id").isEmpty)
        #expect(try rows((0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }, "id").isEmpty)
        #expect(try rows([0xEF, 0xBB, 0xBF] + Array(card("FN:bom")), "fullName") == [["bom"]])
    }
}

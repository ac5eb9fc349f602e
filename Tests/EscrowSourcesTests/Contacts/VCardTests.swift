import EscrowTabular
import Testing

@testable import EscrowPeople

@Suite("vCards")
struct VCardTests {
    /// The named columns of the only card in a text.
    private func contact(_ text: String, _ columns: String...) throws -> [Cell] {
        let folder = try Folder()
        let table = Table("Contacts", .contacts, folder.write("a.vcf", text))
        let rows = try table.rows()
        #expect(rows.count == 1)
        return columns.map { rows[0][table.column($0)] }
    }

    @Test("a version 3 card with a folded line, a group and escapes")
    func version3() throws {
        let card = """
            BEGIN:VCARD\r
            VERSION:3.0\r
            UID:abc-1\r
            N:Lovelace;Ada;King\\, Noel;Lady;\r
            FN:Ada\r
              Lovelace\r
            item1.TEL;TYPE=cell,pref:+1 202 555 0100\r
            item1.X-ABLabel:_$!<Mobile>!$_\r
            ORG:Analytical\\; Engines;Notes\r
            NOTE:one\\ntwo\r
            REV:1995-10-31T22:27:10Z\r
            END:VCARD\r

            """
        let values = try contact(
            card, "id", "givenName", "familyName", "middleName", "namePrefix", "nameSuffix", "fullName",
            "phoneNumber",
            "organizationName", "departmentName", "note", "modificationDate")
        #expect(
            values == [
                "abc-1", "Ada", "Lovelace", "King, Noel", "Lady", nil, "Ada Lovelace", "+1 202 555 0100",
                "Analytical; Engines", "Notes", "one\ntwo", "1995-10-31T22:27:10.000Z",
            ])
    }

    @Test("a version 2.1 card in quoted-printable with soft breaks and a charset")
    func version21() throws {
        let card = """
            BEGIN:VCARD
            VERSION:2.1
            N;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:M=FCller;J=F6rg=
            -Peter
            TEL;WORK;FAX:555-0101
            TEL;PREF;CELL:555-0102
            NOTE;ENCODING=QUOTED-PRINTABLE:line=0D=0A=
            END of it
            END:VCARD
            """
        let values = try contact(card, "givenName", "familyName", "phoneNumber", "note")
        #expect(values == ["Jörg-Peter", "Müller", "555-0102", "line\r\nEND of it"])
    }
}

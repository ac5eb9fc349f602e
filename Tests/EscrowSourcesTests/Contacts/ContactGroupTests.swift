import EscrowSchema
import EscrowTabular
import Testing

@testable import EscrowPeople
@testable import EscrowTableKit

@Suite("Groups and containers of contacts")
struct ContactGroupTests {
    private func names(_ folder: String) throws -> [Cell: Cell] {
        let rows = try Table("ContactGroups", .contacts, folder).rows("id", "name")
        return Dictionary(rows.map { ($0[0], $0[1]) }, uniquingKeysWith: { first, _ in first })
    }

    /// `group: contact` of each membership.
    private func members(_ path: String) throws -> [String] {
        let names = try names(path)
        return try Table("ContactGroupMembers", .contacts, path).rows().map { row in
            guard case .text(let group) = names[row[0]], case .text(let contact) = row[1] else { return "?" }
            return "\(group): \(contact)"
        }
    }

    @Test("group cards of RFC 6350 and of Apple name their members, wherever in the book these stand")
    func cards() throws {
        let folder = try Folder()
        folder.write(
            "book/a.vcf",
            """
            BEGIN:VCARD
            VERSION:4.0
            KIND:group
            UID:urn:uuid:AAAA
            FN:The Doe\\, family
            MEMBER:urn:uuid:03A0E51F
            MEMBER:urn:uuid:nobody
            MEMBER:jane
            END:VCARD
            BEGIN:VCARD
            VERSION:4.0
            UID:urn:uuid:03a0e51f
            FN:John
            END:VCARD
            """)
        folder.write(
            "book/b.vcf",
            """
            BEGIN:VCARD
            VERSION:3.0
            UID:jane
            FN:Jane
            END:VCARD
            BEGIN:VCARD
            VERSION:3.0
            N:Friends
            FN:Friends
            X-ADDRESSBOOKSERVER-KIND:group
            X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:jane
            UID:BBBB
            END:VCARD
            """)
        #expect(try Table("Contacts", .contacts, folder.path).rows("fullName") == [["John"], ["Jane"]])
        let groups = try Table("ContactGroups", .contacts, folder.path).rows("id", "name", "containerID")
        let book = StableID.name(folder.path + "/book")
        #expect(
            groups == [
                ["urn:uuid:AAAA", "The Doe, family", .text(book)], ["BBBB", "Friends", .text(book)],
            ])
        #expect(
            try members(folder.path) == [
                "The Doe, family: urn:uuid:03a0e51f", "The Doe, family: jane", "Friends: jane",
            ])
        #expect(
            try Table("ContactContainers", .contacts, folder.path).rows() == [[.text(book), "book"]])
        #expect(
            try Table("ContactContainerMembers", .contacts, folder.path).rows()
                == [[.text(book), "urn:uuid:03a0e51f"], [.text(book), "jane"]])
    }

    @Test("each category of a container is a group, and a card names it once")
    func categories() throws {
        let folder = try Folder()
        let card = { (uid: String, categories: String) in
            "BEGIN:VCARD\nVERSION:3.0\nUID:\(uid)\n\(categories)\nEND:VCARD\n"
        }
        folder.write(
            "a.vcf",
            card("1", "CATEGORIES:Family,Work\\, old,,Family")
                + card("2", "CATEGORIES: Family \nCATEGORIES:x"))
        folder.write("other/a.vcf", card("3", "CATEGORIES:Family"))
        let rows = try Table("ContactGroups", .contacts, folder.path).rows("name", "containerID")
        #expect(rows.map { $0[0] } == ["Family", "Work, old", "x", "Family"])
        #expect(rows[0][1] == rows[2][1] && rows[0][1] != rows[3][1])
        #expect(
            try members(folder.path)
                == ["Family: 1", "Work, old: 1", "Family: 2", "x: 2", "Family: 3"])
        // A term leaves the other rows out, and ids are different ones.
        let table = Table("ContactGroupMembers", .contacts, folder.path)
        #expect(try Set(table.ids()).count == 5)
        let term = Predicate(column: 1, operation: .equal, values: ["2"])
        #expect(try table.rows(where: [term]).count == 2)
    }

    @Test("lists of Thunderbird and of Evolution are groups of the book")
    func books() throws {
        let folder = try Folder()
        let thunderbird = folder.path + "/abook.sqlite"
        try ProgramDatabase.write(
            thunderbird,
            """
            db.executescript(r\'\'\'
            CREATE TABLE properties (card TEXT, name TEXT, value TEXT);
            CREATE TABLE lists (uid TEXT PRIMARY KEY, localId INTEGER, name TEXT, nickName TEXT, description TEXT);
            CREATE TABLE list_cards (list TEXT, card TEXT, PRIMARY KEY(list, card));
            INSERT INTO properties VALUES ('c1', '_vCard', 'BEGIN:VCARD
            FN:Ada
            END:VCARD');
            INSERT INTO lists VALUES ('l1', 1, 'The \\ team
            of X', '', '');
            INSERT INTO list_cards VALUES ('l1', 'c1');
            ''')
            """)
        #expect(try Table("Contacts", .contacts, thunderbird).rows("id", "fullName") == [["c1", "Ada"]])
        #expect(try members(thunderbird) == ["The \\ team\nof X: c1"])
        #expect(try Table("ContactContainers", .contacts, thunderbird).rows("name") == [["abook"]])
        let evolution = folder.path + "/contacts.db"
        try ProgramDatabase.write(
            evolution,
            """
            db.executescript(r\'\'\'
            CREATE TABLE folder_id (uid TEXT, vcard TEXT, is_list INTEGER);
            INSERT INTO folder_id VALUES ('pas-1', 'BEGIN:VCARD
            UID:pas-1
            FN:Ada
            END:VCARD', 0);
            INSERT INTO folder_id VALUES ('pas-2', 'BEGIN:VCARD
            VERSION:3.0
            UID:pas-2
            FN:Team
            X-EVOLUTION-LIST:TRUE
            EMAIL;X-EVOLUTION-DEST-NAME=Ada;X-EVOLUTION-DEST-CONTACT-UID=pas-1:a@example.org
            EMAIL:b@example.org
            END:VCARD', 1);
            ''')
            """)
        #expect(try Table("Contacts", .contacts, evolution).rows("id") == [["pas-1"]])
        #expect(try members(evolution) == ["Team: pas-1"])
        #expect(try Table("ContactEmailAddresses", .contacts, evolution).rows() == [])
    }
}

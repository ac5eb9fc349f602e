import EscrowDiagnostics
import EscrowSchema
import Glibc
import Testing

@testable import EscrowPeople
@testable import EscrowSources
@testable import EscrowTableKit

@Suite("Address books")
struct AddressBookTests {
    /// The tables as Thunderbird 153 makes them.
    static let thunderbird = """
        db.executescript('''
        PRAGMA user_version=4;
        CREATE TABLE properties (card TEXT, name TEXT, value TEXT);
        CREATE TABLE lists (uid TEXT PRIMARY KEY, name TEXT, nickName TEXT, description TEXT);
        CREATE TABLE list_cards (list TEXT, card TEXT, PRIMARY KEY(list, card));
        CREATE INDEX properties_card ON properties(card);
        CREATE INDEX properties_name ON properties(name);
        ''')
        card = 'BEGIN:VCARD\\r\\nVERSION:4.0\\r\\nEMAIL;PREF=1:ada@example.org\\r\\nFN:Ada Löwe\\r\\nN:Löwe;Ada;;;\\r\\nUID:u-1\\r\\nEND:VCARD\\r\\n'
        for row in [('u-1', 'DisplayName', 'Ada'), ('u-1', '_vCard', card), ('u-2', 'DisplayName', 'Old'), ('u-2', 'PrimaryEmail', 'x'),
                    ('u-3', '_vCard', 'BEGIN:VCARD\\nFN:Ben\\nTEL;TYPE=cell:+1 555\\nEND:VCARD'), ('u-4', '_vCard', 'no card')]:
            db.execute('INSERT INTO properties VALUES (?, ?, ?)', row)

        """

    @Test("cards of Thunderbird, with its own name for one that has no UID, also while it runs")
    func thunderbird() throws {
        let folder = try Folder()
        let path = folder.path + "/abook.sqlite"
        folder.write("a.vcf", "BEGIN:VCARD\nFN:File\nUID:f\nEND:VCARD\n")
        let program = try ProgramWriter(
            path, "db.execute('PRAGMA journal_mode=WAL')\n" + Self.thunderbird, holds: true)
        let log = ProblemLog()
        let contacts = Table("Contacts", .contacts, folder.path, log: log)
        #expect(
            try contacts.rows("id", "fullName", "emailAddress") == [
                ["f", "File", nil], ["u-1", "Ada Löwe", "ada@example.org"], ["u-3", "Ben", nil],
            ])
        #expect(log.reasons == ["1 cards without a vCard"])
        #expect(
            try Table("ContactPhoneNumbers", .contacts, path).rows("contactID", "phoneNumber", "label") == [
                ["u-3", "+1 555", "mobile"]
            ])
        #expect(
            try contacts.ids() == contacts.ids(where: [Predicate(column: 0, operation: .notNull, values: [])])
        )
        try program.finish()
    }

    @Test("all tables of one statement see one copy of a book, and the next statement a new one")
    func oneCopy() throws {
        let folder = try Folder()
        let path = folder.path + "/abook.sqlite"
        try ProgramDatabase.write(path, Self.thunderbird)
        let context = SourceContext(ContactsAdapter(), roots: [path]) { _, _ in }
        let tables = ContactsAdapter().tables(context)
        func rows(_ snapshot: any TableSnapshot, _ spec: TableSpec) throws -> Int {
            let chunk = ColumnChunk(spec: spec)
            let scan = try snapshot.scan(ScanRequest(columns: ColumnMask([0])))
            var count = 0
            while try scan.next(into: chunk) { count += chunk.rowCount }
            return count
        }
        let statement = AssetTable()
        let contacts = try tables[0].snapshot(assets: statement)
        #expect(try rows(contacts, tables[0].spec) == 2)
        try ProgramDatabase.write(path, "db.execute('DELETE FROM properties')")
        // A second copy would be of an empty book.
        #expect(try rows(try tables[1].snapshot(assets: statement), tables[1].spec) == 1)
        #expect(try rows(try tables[1].snapshot(assets: AssetTable()), tables[1].spec) == 0)
    }

    @Test("cards of Evolution, its lists and empty cards left out")
    func evolution() throws {
        let folder = try Folder()
        mkdir(folder.path + "/system", 0o700)
        try ProgramDatabase.write(
            folder.path + "/system/contacts.db",
            """
            db.executescript('''
            CREATE TABLE folders (folder_id TEXT PRIMARY KEY, version INTEGER, multivalues TEXT, lc_collate TEXT,
                countrycode VARCHAR(2));
            CREATE TABLE 'folder_id' (uid TEXT PRIMARY KEY, Rev TEXT, file_as TEXT, is_list INTEGER, vcard TEXT, bdata TEXT);
            INSERT INTO folders VALUES ('folder_id', 12, '', 'C', '');
            INSERT INTO folder_id VALUES
                ('pas-1', '1', 'E', 0, 'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Eve\r\nEND:VCARD', NULL),
                ('pas-2', '1', 'L', 1, 'BEGIN:VCARD\r\nFN:List\r\nEND:VCARD', NULL), ('pas-3', '1', 'N', 0, NULL, NULL);
            ''')
            """)
        let log = ProblemLog()
        #expect(
            try Table("Contacts", .contacts, folder.path, log: log).rows("id", "fullName") == [
                ["pas-1", "Eve"]
            ])
        #expect(log.reasons == ["1 cards without a vCard"])
        let cache = folder.path + "/cache.db"
        try ProgramDatabase.write(
            cache,
            """
            db.executescript('''
            CREATE TABLE ECacheObjects (ECacheUID TEXT PRIMARY KEY, ECacheREV TEXT, ECacheOBJ TEXT, ECacheState INTEGER,
                is_list INTEGER);
            INSERT INTO ECacheObjects VALUES ('c-1', '', 'BEGIN:VCARD\nFN:Zoe\nUID:own\nEND:VCARD', 0, 0),
                ('c-2', '', 'BEGIN:VCARD\nFN:Gone\nEND:VCARD', 3, 0);
            ''')
            """)
        #expect(try Table("Contacts", .contacts, cache).rows("id", "fullName") == [["own", "Zoe"]])
    }

    @Test("of lists of one name the first has the members, so that a book grows no larger than what it holds")
    func lists() throws {
        let folder = try Folder()
        let path = folder.path + "/abook.sqlite"
        try ProgramDatabase.write(
            path,
            """
            db.executescript('''CREATE TABLE properties(card TEXT, name TEXT, value TEXT);
            CREATE TABLE lists(uid TEXT, name TEXT); CREATE TABLE list_cards(list TEXT, card TEXT)''')
            db.executemany('INSERT INTO lists VALUES (?, ?)', [('l', 'List')] * 200)
            db.executemany('INSERT INTO list_cards VALUES (?, ?)', [('l', 'u-%d' % i) for i in range(1_000)])
            """)
        #expect(try written(path).size < 50_000)
    }

    @Test("cards that share their pages are written up to a bound, in several tables too, and that is told")
    func sharedPages() throws {
        let folder = try Folder()
        let path = folder.path + "/contacts.db"
        let tables = ["a", "b", "c"]
        try ProgramDatabase.write(
            path,
            tables.map {
                """
                db.execute('CREATE TABLE \($0)(uid TEXT, vcard TEXT)')
                card = 'BEGIN:VCARD\\r\\nFN:x\\r\\n' + ('X-A:' + 'z' * 900 + '\\r\\n') * 1_000 + 'END:VCARD'
                db.execute('INSERT INTO \($0) VALUES (?, ?)', ('u', card))

                """
            }.joined() + "db.close()" + tables.map { ProgramDatabase.share($0, rows: 30) }.joined())
        let (size, reasons) = try written(path)
        #expect(size > 60 << 20 && size <= 64 << 20)
        #expect(
            reasons == ["the address book gives more cards than a file of its size can hold (E0831)"])
    }

    /// How many bytes of vCards are made of a book, and what is told of it.
    private func written(_ path: String) throws -> (size: Int64, reasons: [String]) {
        let log = ProblemLog()
        let context = SourceContext(ContactsAdapter(), roots: [path]) { log.add($0, $1) }
        let cards = try KeptCards.shared(by: AssetTable(), context)
        let size = cards.open(0) { log.add(path, $0) }?.size ?? 0
        return (size, log.reasons)
    }

    @Test("another program's database is told, not taken for an empty book")
    func foreign() throws {
        let folder = try Folder()
        try ProgramDatabase.write(folder.path + "/contacts.db", "db.execute('CREATE TABLE t(x)')")
        folder.write("abook.sqlite", "BEGIN:VCARD\nFN:secret\nEND:VCARD\n")
        let log = ProblemLog()
        #expect(try Table("Contacts", .contacts, folder.path, log: log).rows().isEmpty)
        let reason = "the file is no address book of Thunderbird or Evolution (E0836)"
        #expect(log.reasons == [reason, reason])
        var registry = try SourceRegistry.load(directory: folder.path)
        #expect(throws: Diagnostic(.pathUnlikeKind, "")) {
            try registry.add(kind: "contacts", path: folder.path + "/abook.sqlite")
        }
        try registry.add(kind: "contacts", path: folder.path + "/contacts.db")
        #expect(registry.check()[0].files[0].isSkipped)
    }
}

import Foundation
import Glibc
import Testing

@testable import EscrowDesktop

@Suite("Account books")
struct AccountBookTests {
    /// The part of a group's database that is read, and what must not be: versions, keys, messages.
    static let group = """
        import json
        db.executescript('''
        CREATE TABLE part(name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
        CREATE TABLE shown(id TEXT PRIMARY KEY, class TEXT NOT NULL, object TEXT NOT NULL);
        INSERT INTO part VALUES ('keys', 'canary of a key');
        ''')
        def show(id, kind, **value): db.execute('INSERT INTO shown VALUES (?, ?, ?)', (id, kind, json.dumps(value)))
        show('c1', 'Classification', name='food')
        show('s1', 'Shop', name='baker')
        show('p1', 'Photo', name='bread.jpg', bytes='AAAA')
        show('r1', 'Record', day='2027-01-05', cents=1250, **{'class': 'c1'}, shop='s1', photo='p1', note='rolls')
        show('r2', 'Record', day='2027-01-06', cents=-300000, account='a-that-did-not-arrive')
        show('t1', 'Template', name='rent', cents=80000)
        show('r3', 'Record', day='2027-01-07')
        db.execute("INSERT INTO shown VALUES ('r4', 'Record', 'no JSON')")
        """

    @Test("records with the names of what they refer to; what is no record, or not whole, is left out")
    func records() throws {
        let folder = try Folder()
        mkdir(folder.path + "/home", 0o700)
        try ProgramDatabase.write(folder.path + "/home/group.db", Self.group)
        let log = ProblemLog()
        let table = Table("Expenses", .accountBook, folder.path + "/home", log: log)
        #expect(
            try table.rows() == [
                [
                    "r1", "2027-01-05", "2027-01", 1250, 12.5, "food", nil, "baker", "rolls", "bread.jpg",
                    "home",
                ],
                ["r2", "2027-01-06", "2027-01", -300000, -3000.0, nil, nil, nil, nil, nil, "home"],
            ])
        #expect(log.problems.isEmpty)
    }

    @Test("a database of something else says that it is none")
    func others() throws {
        let folder = try Folder()
        try ProgramDatabase.write(folder.path + "/group.db", "db.execute('CREATE TABLE x(y)')")
        let log = ProblemLog()
        #expect(try Table("Expenses", .accountBook, folder.path, log: log).rows().isEmpty)
        #expect(log.problems.count == 1)
    }
}

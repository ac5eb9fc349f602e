internal import EscrowDatabaseFiles
internal import EscrowDiagnostics
internal import EscrowFormats

/// Puts whole vCards one after the other into a file without a name.
final class CardWriter {
    let file: AnonymousFile
    private(set) var size: Int64 = 0
    private let limit: Int64
    private var buffer: [UInt8] = []

    /// - Parameter size: that of the book. Tables of a hostile one can share their pages, so that cards would never end.
    init(size: Int64) throws(Diagnostic) {
        limit = max(64 << 20, 4 * size)
        file = try AnonymousFile(size: size)
    }

    /// Adds a card, with the book's own name for it as the UID if the card has none.
    ///
    /// - Parameter isGroup: whether the book says that it is a list of contacts.
    /// - Throws: E0831 where it would be more than a sound book of this size holds, E0833.
    func add(_ card: [UInt8], uid: [UInt8]?, isGroup: Bool = false) throws(Diagnostic) {
        let card = card[...].trimmed
        guard card.prefix(11).equalsIgnoringCase("BEGIN:VCARD") else { return }
        buffer.removeAll(keepingCapacity: true)
        buffer.append(contentsOf: "BEGIN:VCARD\r\n".utf8)
        if isGroup { buffer.append(contentsOf: "KIND:group\r\n".utf8) }
        if let uid, Self.isPlain(uid), !Self.hasUID(card) {
            buffer.append(contentsOf: "UID:".utf8)
            buffer.append(contentsOf: uid)
            buffer.append(contentsOf: "\r\n".utf8)
        }
        buffer.append(contentsOf: card.dropFirst(11).drop { $0 == 0x0D || $0 == 0x0A })
        buffer.append(contentsOf: "\r\n".utf8)
        guard size + Int64(buffer.count) <= limit else { throw .endlessAddressBook() }
        try file.write(buffer[...], at: size)
        size += Int64(buffer.count)
    }

    /// Adds a list of contacts by their UIDs.
    func addGroup(_ name: [UInt8], uid: [UInt8], members: [[UInt8]]) throws(Diagnostic) {
        var card = Array("BEGIN:VCARD\r\nVERSION:4.0\r\nFN:".utf8)
        for byte in name {
            switch byte {
            case 0x0A: card += "\\n".utf8
            case UInt8(ascii: "\\"): card += "\\\\".utf8
            case 0x0D: break
            default: card.append(byte)
            }
        }
        for member in members where Self.isPlain(member) { card += "\r\nMEMBER:".utf8 + member }
        try add(card + "\r\nEND:VCARD".utf8, uid: uid, isGroup: true)
    }

    /// Whether a name can stand on a line: one with a line break in it would be lines of its own.
    private static func isPlain(_ uid: [UInt8]) -> Bool {
        !uid.isEmpty && uid.allSatisfy { (0x21...0x7E).contains($0) }
    }

    private static func hasUID(_ card: ArraySlice<UInt8>) -> Bool {
        var start = card.startIndex
        while let end = card[start...].firstIndex(of: 0x0A) {
            start = end + 1
            let line = card[start...]
            if line.prefix(4).equalsIgnoringCase("UID:") || line.prefix(4).equalsIgnoringCase("UID;") {
                return true
            }
        }
        return false
    }
}

/// The address books of Thunderbird (102 and later: `properties` with the whole card under `_vCard`) and Evolution
/// (`contacts.db` of EBookSqlite, `cache.db` of EBookCache).
enum AddressBook {
    /// Writes all cards in the order of the database.
    ///
    /// - Returns: the number of cards that the book holds no vCard of.
    static func write(_ database: DatabaseFile, to writer: CardWriter) throws(Diagnostic) -> Int {
        let tables = try database.tables()
        if tables.contains("properties") { return try thunderbird(database, writer) }
        if tables.contains("ECacheObjects") {
            try database.require("ECacheObjects", ["ECacheUID", "ECacheOBJ", "ECacheState"])
            let isList = try listColumn(database, "ECacheObjects")
            // 3: deleted here, and not yet on the server.
            return try evolution(
                database, writer,
                "SELECT rowid, ECacheUID, ECacheOBJ, \(isList), ECacheState = 3 FROM ECacheObjects NOT INDEXED"
            )
        }
        var left = 0
        var found = false
        for table in tables {
            let columns = try database.columns(of: table)
            guard columns.contains("uid"), columns.contains("vcard") else { continue }
            found = true
            let isList = try listColumn(database, table)
            left += try evolution(
                database, writer,
                "SELECT rowid, uid, vcard, \(isList), 0 FROM \(DatabaseFile.quoted(table)) NOT INDEXED")
        }
        guard found else { throw .noAddressBook() }
        return left
    }

    private static func listColumn(_ database: DatabaseFile, _ table: String) throws(Diagnostic) -> String {
        try database.columns(of: table).contains("is_list") ? "is_list" : "0"
    }

    private static func thunderbird(_ database: DatabaseFile, _ writer: CardWriter) throws(Diagnostic) -> Int
    {
        try database.require("properties", ["card", "name", "value"])
        let rows = try database.scan(
            "SELECT rowid, card, value FROM properties NOT INDEXED WHERE name = '_vCard'")
        var written: Set<[UInt8]> = []
        while try rows.next() {
            guard let uid = rows.text(1), let card = rows.text(2) else { continue }
            written.insert(uid)
            try writer.add(card, uid: uid)
        }
        var left: Set<[UInt8]> = []
        let all = try database.scan("SELECT rowid, card FROM properties NOT INDEXED")
        while try all.next() {
            if let uid = all.text(1), !written.contains(uid) { left.insert(uid) }
        }
        try thunderbirdLists(database, writer)
        return left.count
    }

    private static func thunderbirdLists(_ database: DatabaseFile, _ writer: CardWriter) throws(Diagnostic) {
        let tables = try database.tables()
        guard tables.contains("lists"), tables.contains("list_cards") else { return }
        try database.require("lists", ["uid", "name"])
        try database.require("list_cards", ["list", "card"])
        var members: [[UInt8]: [[UInt8]]] = [:]
        var count = 0
        let cards = try database.scan("SELECT rowid, list, card FROM list_cards NOT INDEXED")
        while count < memberLimit, try cards.next() {
            guard let list = cards.text(1), let card = cards.text(2) else { continue }
            members[list, default: []].append(card)
            count += 1
        }
        let lists = try database.scan("SELECT rowid, uid, name FROM lists NOT INDEXED")
        while try lists.next() {
            guard let uid = lists.text(1) else { continue }
            // Of several lists of one name the first has the members: a file may hold any number of them.
            try writer.addGroup(
                lists.text(2) ?? [], uid: uid, members: members.removeValue(forKey: uid) ?? [])
        }
    }

    /// The most members of all lists of a book.
    private static let memberLimit = 100_000

    private static func evolution(
        _ database: DatabaseFile, _ writer: CardWriter, _ sql: String
    ) throws(Diagnostic) -> Int {
        let rows = try database.scan(sql)
        var left = 0
        while try rows.next() {
            if rows.integer(4) == 1 { continue }
            let isList = rows.integer(3) == 1
            guard let card = rows.text(2), !card.isEmpty else {
                if !isList { left += 1 }
                continue
            }
            try writer.add(card, uid: rows.text(1), isGroup: isList)
        }
        return left
    }
}

extension Diagnostic {
    static func noAddressBook() -> Diagnostic {
        Diagnostic(.databaseSchemaUnknown, "the file is no address book of Thunderbird or Evolution")
    }

    static func endlessAddressBook() -> Diagnostic {
        Diagnostic(.databaseDamaged, "the address book gives more cards than a file of its size can hold")
    }
}

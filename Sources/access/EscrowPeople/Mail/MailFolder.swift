internal import EscrowFormats
internal import EscrowSourceFiles

/// The names of mail folders, as programs show them.
struct MailFolder {
    /// What a folder on the disk is called, by its position in the listing; nil for a source's own folder.
    private let names: [[UInt8]?]
    /// Where a folder's mail lies whether it was seen or not, for ids that stay the same when it is.
    private let places: [String]

    init(_ listing: FileListing) {
        var names: [[UInt8]?] = []
        var places: [String] = []
        for directory in listing.directories {
            guard let parent = directory.parent else {
                names.append(nil)
                places.append(directory.path)
                continue
            }
            if directory.name == "cur" || directory.name == "new" {
                names.append(names[parent])
                places.append(places[parent])
                continue
            }
            names.append(Self.join(names[parent], Self.shown(directory.name)))
            places.append(directory.path)
        }
        self.names = names
        self.places = places
    }

    /// The name of the folder that a file belongs to, if it is of a kind.
    func name(_ index: Int, as kind: UInt8, of listing: FileListing) -> [UInt8]? {
        let file = listing.files[index]
        let above = file.directory < 0 ? nil : names[Int(file.directory)]
        switch kind {
        case MailAdapter.FileKind.single: return above
        case MailAdapter.FileKind.seen, MailAdapter.FileKind.new: return above ?? Array("INBOX".utf8)
        default: return Self.join(above, Self.withoutEnding(listing.name(index), [".mbox", ".mbx"]))
        }
    }

    /// A path that names a file of one mail however it was marked.
    func place(_ index: Int, of listing: FileListing) -> String {
        let file = listing.files[index]
        let name = listing.nameBytes(index)
        guard file.directory >= 0, file.kind != MailAdapter.FileKind.single else {
            return listing.path(index)
        }
        let base = name[..<MailFlags.infoStart(name)]
        return places[Int(file.directory)] + "/" + String(decoding: base, as: UTF8.self)
    }

    private static func join(_ above: [UInt8]?, _ name: String) -> [UInt8] {
        guard let above else { return Array(name.utf8) }
        return above + [UInt8(ascii: "/")] + Array(name.utf8)
    }

    /// `.Lists.swift` is `Lists/swift` (Maildir++, in IMAP's spelling), `Inbox.sbd` holds the folders within `Inbox`.
    private static func shown(_ name: String) -> String {
        guard name.hasPrefix("."), name.utf8.count > 1 else { return withoutEnding(name, [".sbd", ".mbox"]) }
        let parts = name.dropFirst().split(separator: ".").map { ModifiedUTF7.decode(String($0)) }
        return parts.joined(separator: "/")
    }

    private static func withoutEnding(_ name: String, _ endings: [String]) -> String {
        for ending in endings where name.lowercased().hasSuffix(ending) && name.count > ending.count {
            return String(name.dropLast(ending.count))
        }
        return name
    }
}

/// IMAP's spelling of names of folders (RFC 3501, 5.1.3): `Entw&APw-rfe`.
enum ModifiedUTF7 {
    /// The name as people write it; as it is if it is not spelled that way.
    static func decode(_ name: String) -> String {
        var units: [UInt16] = []
        var rest = Array(name.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "&") else {
                guard byte < 0x80 else { return name }
                units.append(UInt16(byte))
                continue
            }
            guard let end = rest.firstIndex(of: UInt8(ascii: "-")) else { return name }
            let code = rest[..<end]
            rest = rest[(end + 1)...]
            if code.isEmpty { units.append(UInt16(UInt8(ascii: "&"))) }
            guard let decoded = shifted(code) else { return name }
            units += decoded
        }
        return String(validating: units, as: UTF16.self) ?? name
    }

    /// UTF-16 in base 64, with a comma for the slash.
    private static func shifted(_ code: ArraySlice<UInt8>) -> [UInt16]? {
        var units: [UInt16] = []
        var bits: UInt32 = 0
        var count = 0
        for byte in code {
            let slash = UInt8(ascii: "/")
            guard byte != slash, let value = (byte == UInt8(ascii: ",") ? slash : byte).base64Digit else {
                return nil
            }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count >= 16 {
                count -= 16
                let unit = UInt16(truncatingIfNeeded: bits >> UInt32(count))
                // A control character in a name would be a trick, not a folder.
                guard unit >= 0x20, unit != 0x7F else { return nil }
                units.append(unit)
            }
        }
        return count < 6 ? units : nil
    }
}

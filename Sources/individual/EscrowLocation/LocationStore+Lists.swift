public import EscrowDiagnostics
import EscrowFiles
import EscrowJSON
public import EscrowLocationPrivacy
import Glibc

/// The individual's lists of places, which `snap` tells from: their names in `location.json`, their places in a file each.
extension LocationStore {
    /// The lists that there are.
    public func lists() throws(Diagnostic) -> [PlaceListEntry] { try file()?.lists ?? [] }

    /// The list that something tells from, under its name; E1186 where there is none of that name.
    public func lists(for telling: Telling) throws(Diagnostic) -> [String: PlaceList] {
        guard let name = telling.list else { return [:] }
        guard try lists().contains(where: { $0.name == name }), let bytes = try store(of: name).read() else {
            throw .noSuchPlaceList(name)
        }
        return [name: try list(bytes, name)]
    }

    /// Keeps a list under a name, in place of one that was kept under it.
    public func keep(_ list: PlaceList, as name: String) throws(Diagnostic) -> PlaceListEntry {
        guard PlaceListEntry.isName(name) else {
            throw Diagnostic(
                .placeListUnfit,
                "a list is named in at most 32 lower-case letters and hyphens, and towns is taken",
                help: "for example: escrow location places add stops FILE")
        }
        let entry = PlaceListEntry(name: name, places: list.places.count, apart: list.apart)
        _ = try change { (file) throws(Diagnostic) in
            file.lists.removeAll { $0.name == name }
            guard file.lists.count < LocationFile.mostLists else {
                throw Diagnostic(
                    .placeListUnfit, "there are \(file.lists.count) lists already, no more are kept",
                    help: "remove one: escrow location places remove NAME")
            }
            // First the places, then the word that they are there.
            try store(of: name).replace(with: PlaceListFile(list).bytes) { (bytes) throws(Diagnostic) in
                _ = try self.list(bytes, name)
            }
            file.lists.append(entry)
            return file
        }
        return entry
    }

    /// Removes a list: E1186 where there is none, E1185 where a rule tells from it.
    public func removeList(_ name: String) throws(Diagnostic) {
        _ = try change { (file) throws(Diagnostic) in
            guard let index = file.lists.firstIndex(where: { $0.name == name }) else {
                throw .noSuchPlaceList(name)
            }
            if let rule = file.rules.first(where: { $0.exactness.list == name }) {
                throw Diagnostic(
                    .placeListUnfit, "rule \(rule.id) tells the nearest of the \(name), so the list stays",
                    help: "first: escrow location rule remove \(rule.id)")
            }
            file.lists.remove(at: index)
            return file
        }
        // One that stays behind is no list any more, and is replaced by the next of its name.
        unlink(store(of: name).path)
    }

    private func store(of name: String) -> StoreFile {
        StoreFile(
            "\(directory)/location.places.\(name).json", limit: PlaceListFile.maximumBytes,
            help: "add fewer places")
    }

    private func list(_ bytes: [UInt8], _ name: String) throws(Diagnostic) -> PlaceList {
        do { return try PlaceListFile(bytes).list } catch {
            throw Diagnostic(
                .locationRulesUnreadable, "the list of \(name) cannot be read: \(error.impersonalMessage)",
                at: .init(
                    file: store(of: name).path, line: error.position.line, column: error.position.column),
                notes: ["nothing is told of any place by it"],
                help: "add it anew: escrow location places add \(name) FILE")
        }
    }
}

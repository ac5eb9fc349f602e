internal import EscrowMediaFormats
internal import EscrowSchema
internal import EscrowSourceFiles
internal import EscrowTableKit
internal import EscrowTabular

extension PhotosSnapshot {
    /// The value of a column that needs no reading.
    func freeValue(_ column: PhotosSpec.Column, _ index: Int) -> FreeValue {
        let file = listing.files[index]
        switch column {
        case .id: return .text(withID(index) { Array($0) }[...])
        case .filename: return .text(listing.nameBytes(index))
        case .fileSize: return .integer(file.size)
        case .mediaType: return .integer(MediaKind(rawValue: file.kind)?.mediaType ?? 0)
        case .mimeType:
            guard let kind = MediaKind(rawValue: file.kind) else { return .null }
            return .text(Array(kind.mimeType.utf8)[...])
        case .modificationDate:
            guard let moment = Timestamp(microseconds: file.modified) else { return .null }
            return .text(Array(moment.iso8601.utf8)[...])
        case .collectionID:
            guard file.directory >= 0, let id = collectionIDs[Int(file.directory)] else { return .null }
            return .text(Array(id.utf8)[...])
        case .collectionName:
            guard file.directory >= 0, collectionIDs[Int(file.directory)] != nil else { return .null }
            return .text(Array(listing.directories[Int(file.directory)].name.utf8)[...])
        default: return .null
        }
    }
}

/// An order of files by columns that the listing knows.
struct PhotosOrder {
    private let terms: [OrderTerm]
    private let snapshot: PhotosSnapshot

    /// Takes an order; nil if it is empty or names a column that must be read.
    init?(_ terms: [OrderTerm], of snapshot: PhotosSnapshot) {
        guard !terms.isEmpty,
            terms.allSatisfy({
                PhotosSpec.Column(rawValue: $0.column).map { $0.isFree && $0 != .asset } ?? false
            })
        else { return nil }
        self.terms = terms
        self.snapshot = snapshot
    }

    /// The files' positions in that order; equals stay in the order of the listing.
    func sorted() -> [Int] {
        var order = Array(snapshot.listing.files.indices)
        if terms.contains(where: { PhotosSpec.Column(rawValue: $0.column)?.needsStatus == true }) {
            order.removeAll { !snapshot.know($0) }
        }
        return ListedOrder.sorted(order, of: snapshot.listing.files.count, by: terms) { column, file in
            PhotosSpec.Column(rawValue: column).map { snapshot.freeValue($0, file) } ?? .null
        }
    }
}

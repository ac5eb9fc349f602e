internal import EscrowSchema
internal import Synchronization

/// Native tables kept between the accesses of one process, in memory alone, for ``Engine/materialized``.
///
/// An access uses tables again only with the same grant, and only while every source has the fingerprint that it had before
/// the tables were filled. Tables with handles of assets, or from a source without a fingerprint, are never kept.
public final class MaterialCache: Sendable {
    /// The most bytes kept; beyond, the least recently used tables go.
    public let maximumBytes: Int
    private let images = Mutex<[MaterialImage]>([])

    /// An empty cache, by default of at most 128 MiB.
    public init(maximumBytes: Int = 128 << 20) { self.maximumBytes = maximumBytes }

    public var byteCount: Int { images.withLock { $0.reduce(0) { $0 + $1.byteCount } } }

    public func removeAll() { images.withLock { $0 = [] } }

    /// Tables that meet the needs.
    func image(for needs: [MaterialNeed]) -> MaterialImage? {
        images.withLock { images in
            let index = images.firstIndex { image in
                image.parts.count == needs.count && zip(needs, image.parts).allSatisfy { $0.isMet(by: $1) }
            }
            guard let index else { return nil }
            let image = images.remove(at: index)
            images.append(image)
            return image
        }
    }

    /// Tables that meet the needs once the rows of changed groups are replaced.
    func base(for needs: [MaterialNeed]) -> MaterialImage? {
        images.withLock { images in
            images.last { image in
                image.byteCount > 0 && image.parts.count == needs.count
                    && zip(needs, image.parts).allSatisfy { $0.isNearlyMet(by: $1) }
            }
        }
    }

    /// Keeps tables, in place of those that they replace.
    func keep(_ image: MaterialImage) {
        guard image.isLasting, image.byteCount <= maximumBytes else { return }
        images.withLock { images in
            images.removeAll { image.replaces($0) }
            images.append(image)
            var total = images.reduce(0) { $0 + $1.byteCount }
            while total > maximumBytes { total -= images.removeFirst().byteCount }
        }
    }

    /// The needs, with the columns that an earlier statement over the same tables filled: otherwise two queries that alternate
    /// would evict each other's tables.
    func widen(_ needs: [MaterialNeed]) -> [MaterialNeed] {
        let known = images.withLock { images in
            images.last { image in
                image.parts.count == needs.count
                    && zip(needs, image.parts).allSatisfy {
                        $0.table.nativeDDL == $1.ddl && ($0.columns != nil) == $1.isFilled
                    }
            }
        }
        guard let known else { return needs }
        return zip(needs, known.parts).map { need, part in
            var wider = need
            if let columns = need.columns {
                wider.columns = ColumnMask(bits: columns.bits | part.filled.bits)
            }
            return wider
        }
    }
}

extension MaterialImage {
    /// Whether this holds the same tables as an older image.
    fileprivate func replaces(_ other: MaterialImage) -> Bool {
        parts.count == other.parts.count
            && zip(parts, other.parts).allSatisfy {
                $0.name == $1.name && $0.ddl == $1.ddl && $0.isFilled == $1.isFilled
            }
    }
}

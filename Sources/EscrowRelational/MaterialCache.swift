internal import EscrowSchema
internal import Synchronization

/// Native tables kept between the accesses of one process, in memory alone, for ``Engine/materialized``.
///
/// Tables are used again only by an access with the same grant, and only while the fingerprint of every source is what it
/// was before the tables were filled. What holds handles of assets, and what comes out of a source that knows no
/// fingerprint (a table that is served more coarsely for one app, for example), is never kept.
public final class MaterialCache: Sendable {
    /// The most bytes kept. Beyond, what was used longest ago is given up.
    public let maximumBytes: Int
    private let images = Mutex<[MaterialImage]>([])

    /// An empty cache, by default of at most 128 MiB.
    public init(maximumBytes: Int = 128 << 20) { self.maximumBytes = maximumBytes }

    /// Bytes kept now.
    public var byteCount: Int { images.withLock { $0.reduce(0) { $0 + $1.byteCount } } }

    /// Gives everything up.
    public func removeAll() { images.withLock { $0 = [] } }

    /// Tables that answer for those needed.
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

    /// Tables that answer for those needed once the rows of what changed are replaced.
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

    /// The needs with the columns besides that were filled for an earlier statement over the same tables, so that two
    /// queries that take turns do not empty each other's.
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
    /// Whether nobody needs the other any more: the same tables, as they were filled before.
    fileprivate func replaces(_ other: MaterialImage) -> Bool {
        parts.count == other.parts.count
            && zip(parts, other.parts).allSatisfy {
                $0.name == $1.name && $0.ddl == $1.ddl && $0.isFilled == $1.isFilled
            }
    }
}

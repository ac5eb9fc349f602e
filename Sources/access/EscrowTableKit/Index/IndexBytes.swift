internal import EscrowSourceFiles

/// Reads bytes of unknown origin as all that an index is made of, for the fuzzer.
package enum IndexBytes {
    /// Whatever the bytes are, as an index, as the facts of one record, as events, as a table of mounts: reading them
    /// neither traps nor hangs, and facts that are taken are written as the same bytes again.
    package static func read(_ bytes: UnsafeRawBufferPointer, as kinds: [any FileFacts.Type]) {
        guard bytes.count <= FactsRecord.bodyLimit else { return }
        readLog(Array(bytes), kinds)
        // Behind a right sum, where most of what is made up never comes.
        var log: [UInt8] = []
        for (path, count) in [bytes.count, bytes.count / 2].enumerated() {
            let key = FileKey(path: UInt64(path), inode: 1, size: 2, modified: 3, touched: 4)
            precondition(FactsRecord.append(key, Bytes(bytes: Array(bytes.prefix(count))), to: &log))
        }
        precondition(readLog(log, kinds).recordCount == 2, "a whole record is not taken")
        readLog(log + bytes, kinds)
        for kind in kinds { readFacts(kind, bytes) }
        var changes = InotifyQueue.Changes()
        InotifyQueue.parse(bytes, into: &changes)
        _ = MountTable.types(String(decoding: bytes, as: UTF8.self))
    }

    private static func readFacts<Facts: FileFacts>(_: Facts.Type, _ bytes: UnsafeRawBufferPointer) {
        guard let facts = Facts(bytes) else { return }
        var again: [UInt8] = []
        let isKept = facts.append(to: &again)
        precondition(isKept && again.elementsEqual(bytes), "facts come back as others")
    }

    @discardableResult
    private static func readLog(_ log: [UInt8], _ kinds: [any FileFacts.Type]) -> FactsState {
        var state = FactsState()
        let isWhole = state.take(log, from: 0)
        precondition(isWhole == (state.bytes.count == log.count) && state.written == state.bytes.count)
        state.bytes.withUnsafeBytes { bytes in
            for place in state.places.values {
                let facts = FactsRecord.facts(FactsRecord.trustedBody(bytes, at: place))
                for kind in kinds { _ = kind.init(facts) }
            }
        }
        let paths = Set(state.places.keys)
        state.compact()
        precondition(Set(state.places.keys) == paths && state.recordCount == paths.count)
        return state
    }

    private struct Bytes: FileFacts {
        static let indexName = "bytes"
        static let indexVersion = 0
        let bytes: [UInt8]
        init(bytes: [UInt8]) { self.bytes = bytes }
        init?(_ bytes: UnsafeRawBufferPointer) { self.bytes = Array(bytes) }
        func append(to log: inout [UInt8]) -> Bool {
            log.append(contentsOf: bytes)
            return true
        }
    }
}

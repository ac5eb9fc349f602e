package import EscrowSchema
package import EscrowSourceFiles

extension FileListing {
    /// The files as groups of rows, for tables whose rows hang on one listed file each, and on nothing else.
    ///
    /// - Parameter beside: a number for what a file's rows hang on as well; nil where that may change without a sign.
    package func groups(beside: (File) -> UInt64? = { _ in 0 }) -> [RowGroup] {
        let settled = begun - Self.clockStep
        return files.indices.map { index in
            let file = files[index]
            let key = key(index)
            guard file.isKnown, file.latest < settled, let other = beside(file) else {
                return RowGroup(name: key.path, state: nil)
            }
            let state = FNV.hash(words: status(index)?.words ?? [])
            return RowGroup(name: key.path, state: FNV.hash(words: [UInt64(file.kind), other], from: state))
        }
    }

    /// What lies beside the files of each folder, as a number; nil where it changed a moment ago. Only for a listing that
    /// knows ``companions``.
    package func companionStates() -> [Int32: UInt64?] {
        let settled = begun - Self.clockStep
        var states: [Int32: UInt64?] = [:]
        for companion in companions {
            guard case .some(let before) = states[companion.directory, default: .some(1)] else { continue }
            let status = companion.status
            guard status.latest < settled else {
                states.updateValue(nil, forKey: companion.directory)
                continue
            }
            let named = FNV.hash(companion.name, from: before)
            states.updateValue(FNV.hash(words: status.words, from: named), forKey: companion.directory)
        }
        return states
    }
}

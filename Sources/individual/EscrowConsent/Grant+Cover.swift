extension Grant {
    /// Whether a denial holds for a dataflow: it holds for any version of the plugin, whoever signed it, and for any
    /// dataflow that takes in all that was denied.
    func forbids(_ wanted: Dataflow) -> Bool {
        TableUse.isWithin(dataflow.reads, granted: wanted.reads)
    }

    /// Whether every column that another decision is about is among this one's.
    func takesIn(_ other: Grant) -> Bool {
        TableUse.isWithin(other.dataflow.reads, granted: dataflow.reads)
    }

    /// Whether a dataflow lies within what was allowed: no `differences`, found without words for most of them.
    func covers(_ wanted: Dataflow) -> Bool {
        wanted.isWithin(dataflow) && versionDifferences(to: wanted).isEmpty
    }

    /// In which ways a dataflow is more, or other, than what was allowed; empty if it lies within.
    func differences(to wanted: Dataflow) -> [String] {
        wanted.differences(from: dataflow) + versionDifferences(to: wanted)
    }

    /// The individual may have named versions.
    private func versionDifferences(to wanted: Dataflow) -> [String] {
        var differences: [String] = []
        if isPinned, isCarriedOver(to: wanted) {
            differences.append("it is not the very version that you allowed")
        }
        if !versions.contains(wanted.plugin.version) {
            differences.append("you allowed versions \(versions.words)")
        }
        return differences
    }
}

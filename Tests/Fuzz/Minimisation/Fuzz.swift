import EscrowDiagnostics
import EscrowMinimisation

/// Terms, one a line. What is read is written as terms that read as the same; it is as coarse as itself, and more of it is
/// never finer.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    let lines = text.split(separator: "\n").map(String.init)
    var all = Minimisation()
    for line in lines {
        var alone = Minimisation()
        _ = try? alone.add(line, table: "Contacts")
        guard let one = try? Minimisation(parsing: [line]) else { continue }
        check(one)
        let joined = all.joined(with: one)
        precondition(joined.isAtLeastAsCoarse(as: all) && joined.isAtLeastAsCoarse(as: one))
        precondition(one.joined(with: all).isAtLeastAsCoarse(as: joined), "the order of the terms counts")
        all = joined
    }
    check(all)
    return 0
}

private func check(_ minimisation: Minimisation) {
    precondition(minimisation.isAtLeastAsCoarse(as: minimisation))
    precondition(
        (try? Minimisation(parsing: minimisation.terms)) == minimisation, "the terms read differently")
    precondition(minimisation.joined(with: minimisation) == minimisation)
    _ = minimisation.words
}

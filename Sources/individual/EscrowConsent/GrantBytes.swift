/// The reader of untrusted bytes, for the fuzzer.
@_spi(Fuzzing) public enum GrantBytes {
    /// Reads a file of decisions; what is accepted is written as a file that reads as the same.
    public static func read(_ bytes: [UInt8]) {
        guard let content = try? GrantFile.read(bytes) else { return }
        precondition((try? GrantFile.read(GrantFile.bytes(content))) == content, "a file reads differently")
        let now = ConsentTime(milliseconds: 1_796_083_200_000)
        let basis = DecisionBasis(now: now, hostStart: now)
        for grant in content.grants + (content.undo?.replaced ?? []) { _ = basis.end(of: grant) }
    }
}

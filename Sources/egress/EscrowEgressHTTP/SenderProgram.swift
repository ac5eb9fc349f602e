import EscrowFiles

/// The program that sends, which stands beside the one that runs.
enum SenderProgram {
    static let name = "escrow-egress"

    /// Its path; nil where it is missing, or where others could have put it there.
    static let path = HelperProcess.path(of: name)
}

/// Why a message cannot be split, or a share not be read. None holds a byte of either.
public enum SharingError: Error, Sendable, Equatable {
    /// Not 2 ≤ k ≤ s ≤ n ≤ 255.
    case scheme
    /// The message is longer than ``Share/longestMessage``.
    case tooLong
    /// The bytes are not those of one share, whole and alone.
    case malformed
    /// The machine gave no random key.
    case noRandomness
}

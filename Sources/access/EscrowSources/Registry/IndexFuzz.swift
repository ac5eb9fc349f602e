internal import EscrowMedia
internal import EscrowPeople
internal import EscrowTableKit

/// The door by which the fuzzer feeds what reads an index.
@_spi(Fuzzing) public enum IndexFuzz {
    /// Whatever the bytes are, as an index, as the facts of one record, as events, as a table of mounts: reading them
    /// neither traps nor hangs, and facts that are taken are written as the same bytes again.
    public static func read(_ bytes: UnsafeRawBufferPointer) {
        IndexBytes.read(bytes, as: PeopleKinds.facts + MediaKinds.facts)
    }
}

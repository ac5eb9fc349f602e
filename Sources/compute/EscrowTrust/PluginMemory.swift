internal import EscrowFiles

/// What a host that stays keeps of its plugin store from one run to the next, each part for as long as what it came from is the same.
///
/// A run verifies as ever; only work whose input did not change is not done twice. Signatures hold for the same bytes and keys, sealed
/// copies for an unchanged file (`SealedCache`), the store's own files until they are replaced or written (`ParsedFile`).
/// Trust, time, audience, revocations and rollback are judged for every run.
public final class PluginMemory: Sendable {
    let copies = SealedCache()
    let signed = SignedManifests()
    let installed: ParsedFile<InstalledList>
    let ratchet: ParsedFile<Ratchet>

    /// Nothing yet, of the store in a folder.
    public init(directory: String) {
        installed = ParsedFile(InstalledList.file(directory + "/installed.json"))
        ratchet = ParsedFile(Ratchet.file(directory + "/ratchet.json"))
    }
}

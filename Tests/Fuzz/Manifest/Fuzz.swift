import EscrowDiagnostics
import EscrowJSON
import EscrowManifest

/// A manifest is read or refused; a result is normalised or refused; what is normalised stays as it is.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    _ = try? Manifest.parseAuthored(bytes, file: "plugin.json")
    guard let manifest = try? Manifest.parse(bytes, file: "plugin.json") else { return 0 }
    precondition(manifest.permissions.isWithin(manifest.permissions))
    _ = ManifestCheck.lint(manifest)
    _ = manifest.result.capacityBits
    _ = try? manifest.parameters.resolve(given: [:])
    return 0
}

package import EscrowTableKit

/// The kinds that tell what a person did and keeps on this machine.
package enum DesktopKinds {
    package static let browser: any SourceAdapter = BrowserAdapter()
    package static let accountBook: any SourceAdapter = AccountBookAdapter()
    package static let documents: any SourceAdapter = DocumentsAdapter()
}

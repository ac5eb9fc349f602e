internal import EscrowMediaFormats
package import EscrowTableKit

/// The kinds of pictures, films and sound.
package enum MediaKinds {
    package static let photos: any SourceAdapter = PhotosAdapter()
    package static let music: any SourceAdapter = AudioAdapter.music
    package static let recordings: any SourceAdapter = AudioAdapter.recordings

    /// What these kinds keep of files.
    package static let facts: [any FileFacts.Type] = [ImageFacts.self, AudioFacts.self]
}

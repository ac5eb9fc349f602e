/// The headers that a manifest may set: a closed list.
///
/// A list of what is refused is never whole. Any header may steer a server or what stands before it (`x-original-url` names
/// another path, `x-http-method-override` another method, `priority` another turn), or tell people apart (`dnt`,
/// `accept-language`), and new ones come every year. What is left is what services ask for and only they read: which
/// version of an interface is meant, and which key the publisher was given.
public enum RequestHeader: String, Sendable, CaseIterable {
    case acceptVersion = "accept-version"
    case apiVersion = "api-version"
    case xAPIVersion = "x-api-version"
    case apiKey = "api-key"
    case xAPIKey = "x-api-key"
}

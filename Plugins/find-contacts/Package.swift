// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "find-contacts",
    dependencies: [
        .package(name: "escrow", path: "../../SDK/swift"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    ],
    targets: [
        .target(
            name: "ContactMatching", dependencies: [.product(name: "Crypto", package: "swift-crypto")]),
        .executableTarget(
            name: "find-contacts",
            dependencies: [
                "ContactMatching", .product(name: "EscrowJSON", package: "escrow"),
                .product(name: "EscrowPlugin", package: "escrow"),
            ]),
        // What each step costs, for Benchmarks/psi.py.
        .executableTarget(name: "discovery-cost", dependencies: ["ContactMatching"]),
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "phone-check",
    dependencies: [.package(name: "escrow", path: "../../SDK/swift")],
    targets: [
        .target(name: "PhoneNumbers"),
        .executableTarget(
            name: "phone-check",
            dependencies: ["PhoneNumbers", .product(name: "EscrowPlugin", package: "escrow")]),
        .testTarget(
            name: "PhoneCheckTests",
            dependencies: [
                "PhoneNumbers", "phone-check", .product(name: "EscrowPluginTesting", package: "escrow"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

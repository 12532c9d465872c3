internal import MeshProtocol

/// The last 32 posts of a room, oldest first (remote-nodes §3.1). A restart loses them.
struct RoomPosts {
    struct Post {
        var author: PublicKey
        /// The room's clock, made unique.
        var time: UInt32
        var text: [UInt8]
    }

    static let capacity = 32
    static let longestText = 150

    private(set) var posts: [Post] = []
    /// Since the start; STATUS reports both.
    private(set) var stored: UInt16 = 0
    var pushed: UInt16 = 0

    mutating func add(author: PublicKey, time: UInt32, text: [UInt8]) {
        if posts.count == Self.capacity { posts.removeFirst() }
        posts.append(Post(author: author, time: time, text: Array(text.prefix(Self.longestText))))
        stored &+= 1
    }

    /// The oldest post this client has not got and may get now.
    func next(for client: ServerClient, now: UInt32) -> Post? {
        posts.first { isMissing($0, client) && now >= $0.time &+ 6 }
    }

    /// Posts the client has not got, whatever their age.
    func missing(for client: ServerClient) -> Int { posts.count { isMissing($0, client) } }

    private func isMissing(_ post: Post, _ client: ServerClient) -> Bool {
        post.time > client.syncSince && post.author != client.key
    }
}

// Loaded into what the launcher runs: when the launcher is gone, however it ended, this asks the process to end
// in order, as SIGTERM would. Without it a killed `npm start` would leave a server behind.
process.on('disconnect', () => process.emit('SIGTERM', 'SIGTERM') || process.exit(0))
process.channel?.unref()
// What this process starts must not take the channel for its own.
delete process.env.NODE_CHANNEL_FD

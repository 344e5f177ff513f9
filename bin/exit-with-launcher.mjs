// Loaded into each process that the launcher runs. When the launcher has ended for any reason, it stops the process as
// SIGTERM would. Without it, a killed `npm start` would leave a server behind.
process.on('disconnect', () => process.emit('SIGTERM', 'SIGTERM') || process.exit(0))
process.channel?.unref()
// Child processes of this process must not use its channel.
delete process.env.NODE_CHANNEL_FD

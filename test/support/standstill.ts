/** Loaded into a service under test: at SIGUSR2 its event loop stands still for two seconds, as in a computation without end. */
process.on('SIGUSR2', () => {
  const end = performance.now() + 2000
  while (performance.now() < end);
})

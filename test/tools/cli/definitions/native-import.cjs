/** Imports a module as Node does, without the test runner in between. */
module.exports = (url) => import(url)

// The package in a CommonJS module.
const { loadParser, readModelFile } = require('parliament');

const { paradigm } = loadParser(readModelFile('graph.model'));
if (paradigm !== 'graph') throw new Error(`a parser of the paradigm ${paradigm}`);

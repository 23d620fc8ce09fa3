// How fast is this machine? A plain best-fit allocator over one range of addresses, as most people would write it:
// std::set by size and address, std::unordered_map from id to block, linked neighbours. It replays the churn of
// scripts/bench-model/churn.mjs and prints nanoseconds per allocate + free pair, median of the runs.
//
//   g++ -O2 -std=c++17 yardstick.cc -o yardstick && ./yardstick [live blocks, 0 for the walk up to 2,048] [runs]
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <unordered_map>
#include <vector>

namespace {

struct Block {
  uint64_t address, size;
  bool used;
  Block *previous, *next;
};

struct BySizeThenAddress {
  bool operator()(const Block* a, const Block* b) const {
    return a->size != b->size ? a->size < b->size : a->address < b->address;
  }
};

struct Operation {
  bool isAllocate;
  uint32_t id;
  uint64_t size;
};

constexpr int OPERATIONS = 1000000;
constexpr uint64_t MIB = 1 << 20;
constexpr uint64_t RANGE = 900ull << 30;

uint32_t state;

uint32_t mulberry32() {
  state += 0x6D2B79F5u;
  uint32_t t = state;
  t = (t ^ (t >> 15)) * (t | 1u);
  t ^= t + (t ^ (t >> 7)) * (t | 61u);
  return t ^ (t >> 14);
}

uint64_t randomSize() {
  const uint32_t kind = mulberry32() % 100;
  const uint32_t value = mulberry32();
  if (kind < 70) return 1 + value % 65536;
  if (kind < 90) return 1 + value % MIB;
  if (kind < 98) return MIB + value % (15 * MIB);
  return 16 * MIB + value % (48 * MIB);
}

// `settled` operations first bring the live blocks up to `live`; they are not timed.
std::vector<Operation> churn(uint32_t live, size_t* settled) {
  std::vector<Operation> operations;
  std::vector<uint32_t> ids;
  uint32_t id = 0;
  state = 12345;
  while (ids.size() < live) {
    operations.push_back({true, ++id, randomSize()});
    ids.push_back(id);
  }
  *settled = operations.size();
  const size_t most = live == 0 ? 2048 : live + 1;
  for (int i = 0; i < OPERATIONS; i++) {
    const uint32_t choice = mulberry32();
    const bool allocates = ids.empty() || (ids.size() < most && (choice & 1) == 0);
    if (allocates) {
      operations.push_back({true, ++id, randomSize()});
      ids.push_back(id);
    } else {
      const uint32_t place = mulberry32() % ids.size();
      operations.push_back({false, ids[place], 0});
      ids[place] = ids.back();
      ids.pop_back();
    }
  }
  return operations;
}

class BestFit {
 public:
  BestFit() { free_.insert(new Block{0, RANGE, false, nullptr, nullptr}); }

  bool allocate(uint32_t id, uint64_t size) {
    Block key{0, (size + 511) / 512 * 512, false, nullptr, nullptr};
    const auto found = free_.lower_bound(&key);
    if (found == free_.end()) return false;
    Block* block = *found;
    free_.erase(found);
    if (block->size - key.size >= 512) {
      auto* rest = new Block{block->address + key.size, block->size - key.size, false, block, block->next};
      if (block->next) block->next->previous = rest;
      block->next = rest;
      block->size = key.size;
      free_.insert(rest);
    }
    block->used = true;
    byId_.emplace(id, block);
    check += block->address;
    return true;
  }

  bool release(uint32_t id) {
    const auto found = byId_.find(id);
    if (found == byId_.end()) return false;
    Block* block = found->second;
    byId_.erase(found);
    block->used = false;
    if (Block* previous = block->previous; previous && !previous->used) {
      free_.erase(previous);
      previous->size += block->size;
      previous->next = block->next;
      if (block->next) block->next->previous = previous;
      delete block;
      block = previous;
    }
    if (Block* next = block->next; next && !next->used) {
      free_.erase(next);
      block->size += next->size;
      block->next = next->next;
      if (next->next) next->next->previous = block;
      delete next;
    }
    free_.insert(block);
    return true;
  }

  uint64_t check = 0;

 private:
  std::set<Block*, BySizeThenAddress> free_;
  std::unordered_map<uint32_t, Block*> byId_;
};

}  // namespace

int main(int count, char** arguments) {
  const uint32_t live = count > 1 ? static_cast<uint32_t>(std::atoi(arguments[1])) : 0;
  const int runs = count > 2 ? std::atoi(arguments[2]) : 9;
  size_t settled = 0;
  const auto operations = churn(live, &settled);
  std::vector<double> results;
  uint64_t check = 0;
  for (int run = 0; run < runs; run++) {
    BestFit allocator;
    for (size_t i = 0; i < settled; i++) allocator.allocate(operations[i].id, operations[i].size);
    uint64_t pairs = 0;
    const auto begin = std::chrono::steady_clock::now();
    for (size_t i = settled; i < operations.size(); i++) {
      const auto& operation = operations[i];
      if (operation.isAllocate) allocator.allocate(operation.id, operation.size);
      else pairs += allocator.release(operation.id);
    }
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
    results.push_back(took.count() / static_cast<double>(pairs));
    check += allocator.check;
  }
  std::sort(results.begin(), results.end());
  std::printf("%.1f\n", results[results.size() / 2]);
  std::fprintf(stderr, "min %.1f max %.1f check %llu\n", results.front(), results.back(),
               static_cast<unsigned long long>(check));
}
